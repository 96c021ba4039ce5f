import type { Metadata } from 'next';
import { draftMode } from 'next/headers';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { readContent } from '../../lib/cached-content.ts';
import { describePage } from '../../lib/content.ts';
import { renderMarkdown } from '../../lib/render-markdown.ts';

interface PageProps {
  readonly params: Promise<{ readonly path: readonly string[] }>;
}

/** The page and its metadata share one request to Galley. */
const findPage = cache(async (path: string) => {
  const { isEnabled } = await draftMode();
  return readContent(path, isEnabled);
});

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const content = await findPage(await readPath(params));
  if (content === undefined) return {};
  const { title, description, robots } = content.seo;
  return { title, description, robots };
}

export default async function Page({ params }: PageProps) {
  const content = await findPage(await readPath(params));
  if (content === undefined) notFound();
  const { lead, body, picture } = describePage(content);
  return (
    <article className="page" lang={content.language}>
      <h1>{content.name}</h1>
      <p className="lead">{lead}</p>
      {picture && (
        <img
          src={picture.url}
          alt={picture.description ?? ''}
          width={picture.width ?? undefined}
          height={picture.height ?? undefined}
        />
      )}
      <div dangerouslySetInnerHTML={{ __html: renderMarkdown(body ?? '') }} />
    </article>
  );
}

async function readPath(params: PageProps['params']): Promise<string> {
  const { path } = await params;
  return path.map(decodeURIComponent).join('/');
}
