// HTML that editors save: what could run or load something of its own is taken out before it is stored. The list says
// what stays; everything else goes. Renderers must not rely on it: content may also have been imported.

import sanitizeHtml from 'sanitize-html';
import type { Fault } from '../../content/fault.ts';
import type { ContentType } from '../../content/field.ts';
import type { BlockValue, FieldValue, FieldValues, TypesByHandle } from '../../content/field-value.ts';

export interface SanitisedValues {
  readonly values: FieldValues;
  /** Where the text that is kept is not the text that was given. */
  readonly changed: readonly string[];
  /** Texts of which nothing would be left, or that are nested beyond reason. */
  readonly faults: readonly Fault[];
}

const COMMON_ATTRIBUTES = ['class', 'id', 'title', 'lang', 'dir', 'role', 'aria-*', 'data-*'];

/** With their contents: what stands in them is no text. */
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

/** Scripts run in a picture that is a document of its own. */
const IMAGE_DATA = /^data:image\/(?:png|jpe?g|gif|webp|avif);/i;
const DATA = /^[\s\p{Cc}]*d\s*a\s*t\s*a\s*:/iu;

/** The page that a link opens in another window must not reach back into this one. */
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

const MOST_LEVELS = 200;

class NestedTooDeep extends Error {}

/** Undefined for what is nested deeper than any text: the parser's time grows with the square of the depth. */
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
  try {
    // Void elements are written as HTML has them. No other ` />` can be there: everything else that is a `>` is escaped.
    return sanitizeHtml(text, { ...OPTIONS, ...watch }).replaceAll(' />', '>');
  } catch (error) {
    if (error instanceof NestedTooDeep) return undefined;
    throw error;
  }
}

export function sanitiseValues(type: ContentType, values: FieldValues, typesByHandle: TypesByHandle): SanitisedValues {
  const changed: string[] = [];
  const faults: Fault[] = [];

  function visitFields(owner: ContentType, given: FieldValues, path: string): FieldValues {
    const kept = new Map<string, FieldValue>();
    for (const field of owner.fields) {
      const value = Object.hasOwn(given, field.handle) ? given[field.handle] : undefined;
      if (value === undefined) continue;
      const place = `${path}.${field.handle}`;
      const isHtml = field.settings.format === 'html';
      if ('text' in value && isHtml) kept.set(field.handle, { text: visitText(value.text, `${place}.text`) });
      else if ('blocks' in value) kept.set(field.handle, { blocks: visitBlocks(value.blocks, `${place}.blocks`) });
      else kept.set(field.handle, value);
    }
    return Object.fromEntries(kept);
  }

  function visitBlocks(blocks: readonly BlockValue[], path: string): readonly BlockValue[] {
    return blocks.map((block, index) => {
      const owner = typesByHandle.get(block.content_type);
      if (owner === undefined) return block;
      return { ...block, fields: visitFields(owner, block.fields, `${path}[${index}].fields`) };
    });
  }

  function visitText(text: string, path: string): string {
    const kept = sanitiseHtml(text);
    if (kept === undefined) {
      faults.push({ path, message: `nests HTML elements deeper than ${MOST_LEVELS} levels` });
      return text;
    }
    if (kept.trim() === '' && text.trim() !== '') {
      faults.push({ path, message: 'has nothing but scripts, styles or other HTML that is not allowed' });
    }
    if (kept !== text) changed.push(path);
    return kept;
  }

  return { values: visitFields(type, values, 'fields'), changed, faults };
}
