// The headers that tell browsers how to treat an uploaded file: only media is shown inline, nothing runs, and no type is guessed.

const SHOWN_INLINE = /^(?:image|audio|video)\/|^application\/pdf$/;
const WITH_CHARSET = /^text\/|^application\/(?:json|xml|xhtml\+xml)$|^image\/svg\+xml$/;

export function isShownInline(type: string): boolean {
  return SHOWN_INLINE.test(type);
}

/** @param fileName from `buildFileName` */
export function buildAssetHeaders(type: string, fileName: string): Readonly<Record<string, string>> {
  const disposition = isShownInline(type) ? 'inline' : 'attachment';
  return {
    'content-type': WITH_CHARSET.test(type) ? `${type}; charset=utf-8` : type,
    'content-disposition': `${disposition}; filename*=UTF-8''${encodeExtended(fileName)}`,
    'x-content-type-options': 'nosniff',
    // In a sandbox, browsers do not start their PDF viewer.
    'content-security-policy': type === 'application/pdf' ? "default-src 'none'" : "default-src 'none'; sandbox",
  };
}

/** RFC 8187 allows fewer characters than URLs do. */
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
