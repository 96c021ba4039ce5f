// The nonce that the page's policy wants on style elements. Components make some while they run: Mantine asks for it, and
// what locks scrolling behind dialogs reads it from a global of that name.

declare global {
  var __webpack_nonce__: string | undefined;
}

export function readStyleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}

export function shareStyleNonce(): void {
  globalThis.__webpack_nonce__ = readStyleNonce();
}
