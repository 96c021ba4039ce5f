/** An element above the page. Its styles do not affect the page, and the page's styles do not affect it. */
export interface Shadow {
  readonly host: HTMLElement;
  readonly root: ShadowRoot;
  /** Adds the element to the page, unless it is already there. */
  attach(): void;
}

/** The page's own rules override rules for `:host` that are not marked as important. */
const HOST_STYLES = `
:host{all:initial!important;position:fixed!important;z-index:2147483647!important}
@media print{*{display:none!important}}`;

export function openShadow(styles: string): Shadow {
  const host = document.createElement('galley-preview');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(HOST_STYLES + styles);
  root.adoptedStyleSheets = [sheet];
  return {
    host,
    root,
    attach() {
      // Outside the body, which frameworks replace when the visitor navigates to another page.
      if (!host.isConnected) document.documentElement.append(host);
    },
  };
}
