/** Light or dark: the system's, unless the viewer chose. */
export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const KEY = "tenantry.theme";

export function chosenTheme(): Theme {
  const kept = localStorage.getItem(KEY);
  return themes.find((theme) => theme === kept) ?? "system";
}

export function applyTheme(theme = chosenTheme()): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  applyTheme(theme);
}
