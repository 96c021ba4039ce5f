// Removes from saved HTML everything that could run code or load resources. Only elements and attributes on the list are kept. Front ends
// must not rely on this, because content can also be imported.

import sanitizeHtml from 'sanitize-html';
import { removeMarks } from '../../content/marks.ts';

const COMMON_ATTRIBUTES = ['class', 'id', 'title', 'lang', 'dir', 'role', 'aria-*', 'data-*'];

/** These elements are removed together with their contents, which are not meant for readers. */
const DROPPED_WHOLE = [
  ...['script', 'style', 'textarea', 'option', 'noscript', 'template', 'title', 'xmp'],
  ...['svg', 'math', 'iframe', 'object'],
];

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: [
    ...sanitizeHtml.defaults.allowedTags,
    ...['img', 'picture', 'source', 'audio', 'video', 'track', 'del', 'ins', 'details', 'summary'],
  ],
  allowedAttributes: {
    '*': COMMON_ATTRIBUTES,
    a: ['href', 'hreflang', 'name', 'target', 'rel', 'download'],
    img: ['src', 'srcset', 'sizes', 'alt', 'width', 'height', 'loading', 'decoding'],
    source: ['src', 'srcset', 'sizes', 'media', 'type', 'width', 'height'],
    audio: ['src', 'controls', 'loop', 'muted', 'preload'],
    video: ['src', 'controls', 'loop', 'muted', 'preload', 'poster', 'width', 'height', 'playsinline'],
    track: ['src', 'kind', 'srclang', 'label', 'default'],
    blockquote: ['cite'],
    q: ['cite'],
    del: ['cite', 'datetime'],
    ins: ['cite', 'datetime'],
    time: ['datetime'],
    data: ['value'],
    ol: ['start', 'reversed', 'type'],
    li: ['value'],
    td: ['colspan', 'rowspan', 'headers'],
    th: ['colspan', 'rowspan', 'headers', 'scope', 'abbr'],
    col: ['span'],
    colgroup: ['span'],
    details: ['open'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: {
    img: ['http', 'https', 'data'],
    source: ['http', 'https', 'data'],
    audio: ['http', 'https'],
    video: ['http', 'https'],
    track: ['http', 'https'],
  },
  allowedSchemesAppliedToAttributes: ['href', 'src', 'cite', 'poster'],
  selfClosing: ['img', 'br', 'hr', 'wbr', 'col', 'source', 'track'],
  nonTextTags: DROPPED_WHOLE,
  transformTags: { a: protectTarget, img: keepImageData, source: keepImageData },
};

/** An SVG image is a document that can run scripts. */
const IMAGE_DATA = /^data:image\/(?:png|jpe?g|gif|webp|avif);/i;
const DATA = /^[\s\p{Cc}]*d\s*a\s*t\s*a\s*:/iu;

/** A page that a link opens in another window must not be able to control the page that contains the link. */
function protectTarget(tagName: string, attribs: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  if (attribs.target === undefined) return { tagName, attribs };
  const rel = new Set((attribs.rel ?? '').split(/\s+/).filter(Boolean));
  return { tagName, attribs: { ...attribs, rel: [...rel.add('noopener')].join(' ') } };
}

function keepImageData(tagName: string, attribs: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  const { src, srcset, ...rest } = attribs;
  return {
    tagName,
    attribs: {
      ...(src === undefined || (DATA.test(src) && !IMAGE_DATA.test(src)) ? {} : { src }),
      ...(srcset === undefined || /data:/i.test(srcset) ? {} : { srcset }),
      ...rest,
    },
  };
}

export const MOST_LEVELS = 200;

class NestedTooDeep extends Error {}

/** Whether the text needs no cleaning. */
export function isPlain(text: string): boolean {
  return !/[<>&]/.test(text);
}

/** Returns undefined if elements are nested too deeply: parsing time grows with the square of the depth. */
export function sanitiseHtml(text: string): string | undefined {
  let depth = 0;
  const watch = {
    onOpenTag: () => {
      depth += 1;
      if (depth > MOST_LEVELS) throw new NestedTooDeep();
    },
    onCloseTag: () => {
      depth -= 1;
    },
  };
  if (isPlain(text)) return text;
  try {
    // Write void elements the way HTML does. No other ` />` can occur, because every other `>` is escaped.
    const clean = sanitizeHtml(text, { ...OPTIONS, ...watch }).replaceAll(' />', '>');
    // Do not remove marks any earlier: their characters may have been sent as entities, which have only just been decoded.
    return removeMarks(clean);
  } catch (error) {
    if (error instanceof NestedTooDeep) return undefined;
    throw error;
  }
}
