import MarkdownIt from 'markdown-it';

// Renders HTML in Markdown as text, and does not create links to URLs that run code.
const markdown = new MarkdownIt({ html: false, typographer: true });

export function renderMarkdown(text: string): string {
  return markdown.render(text);
}
