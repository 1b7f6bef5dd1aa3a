/** Meanings of the fields of provider keys. A key ends with the field, after the objects or operation that have it. */
export const providerKeyTexts: Readonly<Record<string, string>> = {
  "ProviderKey.id": "ID of the key. Another key has another ID.",
  "ProviderKey.provider": "The provider, by its name at AI gateways.",
  "ProviderKey.key_hint": "The last four characters of the key.",
  "ProviderKey.state":
    "`pushing`: the tenant does not have the key yet. `push_failed`: it could not be sent. `active`: the tenant uses it. `rejected`, `quota_exceeded`, `rate_limited`: so the provider responded to the last call.",
  "ProviderKey.last_error": "Why the state is a fault, in the provider's words if it reported it; null without one.",
  "ProviderKey.last_error_at": "When the fault was last observed, to the minute; null without one.",
  "ProviderKey.pushed_at": "When the tenant received the key; null until then.",
  "ProviderKey.last_used_at": "When a call last used the key, to the minute; null if never.",
  "ProviderKey.created_by": "E-mail address of the user who stored it.",
  "putProviderKey.provider": "The provider, by its name at AI gateways.",
  "deleteProviderKey.provider": "The provider, by its name at AI gateways.",
  "putProviderKey.key": "The key. No response returns it. Spaces around it are removed.",
};
