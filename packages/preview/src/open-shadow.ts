/** An element above the page whose styles and the page's do not affect each other. */
export interface Shadow {
  readonly host: HTMLElement;
  readonly root: ShadowRoot;
  /** Puts the element into the page, unless it is there. */
  attach(): void;
}

/** Rules for `:host` yield to the page's own rules unless they are important. */
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
      // Outside the body, which frameworks replace when the visitor moves to another page.
      if (!host.isConnected) document.documentElement.append(host);
    },
  };
}
