import { decodeMark, stegaClean } from '@galley/preview';
import MarkdownIt from 'markdown-it';

// Shows HTML in Markdown as plain text, and does not create links to URLs that run code.
const markdown = new MarkdownIt({ html: false, typographer: true });

/** Rendered Markdown, and the attributes that make the element around it editable in the preview. */
export interface RenderedMarkdown {
  readonly html: string;
  readonly attributes: { readonly 'data-galley-edit'?: string };
}

export function renderMarkdown(text: string): RenderedMarkdown {
  // In the preview, the text ends with an invisible mark, which would otherwise belong only to the last paragraph.
  const mark = decodeMark(text);
  const attributes = mark ? { 'data-galley-edit': [mark.id, mark.path, mark.language ?? ''].join(' ').trim() } : {};
  return { html: markdown.render(stegaClean(text)), attributes };
}
