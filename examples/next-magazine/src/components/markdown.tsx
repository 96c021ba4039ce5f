import { renderMarkdown } from '../lib/render-markdown.ts';

export function Markdown({ text }: { readonly text: string | null }) {
  if (!text) return null;
  const { html, attributes } = renderMarkdown(text);
  return <div className="prose" {...attributes} dangerouslySetInnerHTML={{ __html: html }} />;
}
