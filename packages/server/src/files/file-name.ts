// Turns the name of an uploaded file into a URL segment that is also a safe file name. Letters and digits from all scripts are kept. The
// extension always matches the type that was detected from the bytes.

/** Percent-encoded, a name is at most three times as long. */
const MOST_BYTES = 120;
const NO_NAME = 'file';
const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const EXTENSION = /^[a-z0-9]{1,10}$/;
// Windows treats these as devices, whatever their extension.
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** Other valid extensions of a type, keyed by the extension that `inspectFile` returns. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  jpg: ['jpeg', 'jpe', 'jfif'],
  tif: ['tiff'],
  html: ['htm'],
  md: ['markdown'],
  txt: ['text', 'log'],
  mpg: ['mpeg'],
  mov: ['qt'],
  mp4: ['m4v'],
  ogg: ['oga', 'opus'],
  mid: ['midi'],
  aif: ['aiff'],
  heic: ['heif'],
  apng: ['png'],
};

/** Many programs save documents in these formats with their own extensions. `bin` means any bytes. */
const CONTAINERS = new Set(['bin', 'zip', 'cfb', 'gz', 'xml']);

/** Programs or browsers run files with these extensions, or show them as another type. */
const RESERVED = new Set([
  ...[
    'html',
    'htm',
    'xhtml',
    'xht',
    'shtml',
    'mhtml',
    'mht',
    'hta',
    'svg',
    'svgz',
    'xsl',
    'xslt',
    'js',
    'mjs',
    'cjs',
    'css',
  ],
  ...[
    'exe',
    'com',
    'bat',
    'cmd',
    'scr',
    'pif',
    'msi',
    'ps1',
    'vbs',
    'vbe',
    'jse',
    'wsf',
    'wsh',
    'lnk',
    'url',
    'sh',
    'php',
  ],
  ...['phtml', 'asp', 'aspx', 'jsp', 'cgi', 'reg', 'jar', 'app', 'desktop', 'swf', 'pdf'],
  ...[
    'jpg',
    'jpeg',
    'png',
    'gif',
    'webp',
    'avif',
    'tif',
    'tiff',
    'heic',
    'bmp',
    'ico',
    'mp3',
    'mp4',
    'webm',
    'mov',
    'ogg',
    'wav',
  ],
  ...['txt', 'csv', 'md', 'json', 'vtt'],
]);

/** @param extension the extension of the detected type, without a dot */
export function buildFileName(name: string, extension: string): string {
  const { stem, given } = splitName(name);
  const suffix = `.${chooseExtension(given, extension)}`;
  return shorten(cleanStem(stem), MOST_BYTES - suffix.length) + suffix;
}

function splitName(name: string): { readonly stem: string; readonly given: string } {
  // The name may come from any operating system, so both separators count.
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const dot = last.lastIndexOf('.');
  return dot === -1
    ? { stem: last, given: '' }
    : { stem: last.slice(0, dot), given: last.slice(dot + 1).toLowerCase() };
}

function chooseExtension(given: string, extension: string): string {
  if (given === extension || ALIASES[extension]?.includes(given)) return given;
  const isOwn = CONTAINERS.has(extension) && EXTENSION.test(given) && !RESERVED.has(given);
  return isOwn ? given : extension;
}

function cleanStem(stem: string): string {
  const clean = stem
    // Invisible characters, including those that change the text direction, could make two names look the same.
    .replace(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    // The name is normalised only now, because an invisible character may have separated a letter from its accent.
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}_]+/gu, '-')
    // A combining mark at the start would attach to the slash before the name.
    .replace(/^[-\p{M}]+|-+$/gu, '');
  if (clean === '') return NO_NAME;
  return DEVICE.test(clean) ? `${clean}-${NO_NAME}` : clean;
}

/** Cuts between graphemes, so no letter loses its accent. */
function shorten(text: string, mostBytes: number): string {
  if (Buffer.byteLength(text) <= mostBytes) return text;
  let short = '';
  for (const { segment } of GRAPHEMES.segment(text)) {
    if (Buffer.byteLength(short + segment) > mostBytes) break;
    short += segment;
  }
  return short.replace(/-+$/, '') || NO_NAME;
}
