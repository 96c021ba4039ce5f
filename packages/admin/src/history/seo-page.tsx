import { SeoForm } from './seo-form.tsx';
import { useOpenedContent } from './use-opened-content.ts';

export function SeoPage() {
  const { site, content } = useOpenedContent();
  return <SeoForm key={content.id} site={site} content={content} />;
}
