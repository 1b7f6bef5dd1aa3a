const themes = ["system", "light", "dark"] as const;
type Theme = (typeof themes)[number];

const KEY = "tenantry.theme";

function chosenTheme(): Theme {
  const stored = localStorage.getItem(KEY);
  return themes.find((theme) => theme === stored) ?? "system";
}

export function applyTheme(theme = chosenTheme()): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  applyTheme(theme);
}
