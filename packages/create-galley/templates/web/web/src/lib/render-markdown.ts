import MarkdownIt from 'markdown-it';

// HTML inside of Markdown is shown as text, and addresses that run code are no links.
const markdown = new MarkdownIt({ html: false, typographer: true });

export function renderMarkdown(text: string): string {
  return markdown.render(text);
}
