// Guesses an asset's media type from its URL. It recognises common formats; everything else is `application/octet-stream`.

const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
  ['avif', 'image/avif'],
  ['gif', 'image/gif'],
  ['ico', 'image/x-icon'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['png', 'image/png'],
  ['svg', 'image/svg+xml'],
  ['tiff', 'image/tiff'],
  ['webp', 'image/webp'],
  ['mp4', 'video/mp4'],
  ['mov', 'video/quicktime'],
  ['webm', 'video/webm'],
  ['m4a', 'audio/mp4'],
  ['mp3', 'audio/mpeg'],
  ['ogg', 'audio/ogg'],
  ['wav', 'audio/wav'],
  ['csv', 'text/csv'],
  ['html', 'text/html'],
  ['md', 'text/markdown'],
  ['txt', 'text/plain'],
  ['vtt', 'text/vtt'],
  ['json', 'application/json'],
  ['pdf', 'application/pdf'],
  ['xml', 'application/xml'],
  ['zip', 'application/zip'],
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['woff2', 'font/woff2'],
]);

const UNKNOWN_MEDIA_TYPE = 'application/octet-stream';
const EXTENSION = /\.([A-Za-z0-9]{1,16})$/;
const DATA_MEDIA_TYPE = /^data:([a-z0-9.+_-]{1,127}\/[a-z0-9.+_-]{1,127}(?=[;,]))?/i;

/** In lower case, without the dot; empty if the path has no extension. */
export function findExtension(path: string): string {
  return EXTENSION.exec(path)?.[1]?.toLowerCase() ?? '';
}

export function findMediaType(extension: string): string {
  return MEDIA_TYPES.get(extension.toLowerCase()) ?? UNKNOWN_MEDIA_TYPE;
}

export function findExtensionOf(mediaType: string): string {
  for (const [extension, type] of MEDIA_TYPES) if (type === mediaType) return extension;
  return '';
}

/** The media type of a `data:` URL, or plain text if it declares none; undefined for other URLs. */
export function findDataMediaType(url: string): string | undefined {
  const match = DATA_MEDIA_TYPE.exec(url);
  return match === null ? undefined : (match[1]?.toLowerCase() ?? 'text/plain');
}
