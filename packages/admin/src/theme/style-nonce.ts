// The nonce that the content security policy requires on style elements that components add at run time. Mantine calls a function
// to get it; the library that locks scrolling behind dialogs reads it from a global variable with this name.

declare global {
  var __webpack_nonce__: string | undefined;
}

export function readStyleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}

export function shareStyleNonce(): void {
  globalThis.__webpack_nonce__ = readStyleNonce();
}
