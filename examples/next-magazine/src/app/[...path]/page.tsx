import { isOfType } from '@galley/client';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { ContentView } from '../../components/content-view.tsx';
import { Frame } from '../../components/frame.tsx';
import { FrontPage } from '../../components/front-page.tsx';
import { LiveContent } from '../../components/live-content.tsx';
import { readContent, readNavigation, readTopicArticles } from '../../lib/cached-content.ts';
import { describeHead, listAuthorUris } from '../../lib/content.ts';
import { readPreviewSettings } from '../../lib/preview-settings.ts';
import { chooseTexts, findFrontPage, LANGUAGES } from '../../lib/site.ts';
import { findAccess } from '../../lib/visitor.ts';

interface PageProps {
  readonly params: Promise<{ readonly path: readonly string[] }>;
}

/** The page and its metadata share one request to Galley. */
const findPage = cache(async (path: string) => readContent(path, await findAccess()));

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const path = await readPath(params);
  const language = findFrontPageLanguage(path);
  if (language !== undefined) return { alternates: { types: { 'application/rss+xml': `/${language}/rss.xml` } } };
  const content = await findPage(path);
  if (content === undefined) return { title: chooseTexts('en').missingTitle };
  const { title, description, robots, canonical, shared } = describeHead(content);
  return {
    title,
    description,
    robots,
    alternates: { canonical, types: { 'application/rss+xml': '/rss.xml' } },
    openGraph: {
      title: shared.title,
      description: shared.description ?? undefined,
      images: shared.image,
      type: isOfType(content, 'article') ? 'article' : 'website',
    },
  };
}

export default async function Page({ params }: PageProps) {
  const path = await readPath(params);
  const language = findFrontPageLanguage(path);
  if (language !== undefined) return <FrontPage language={language} />;

  const content = await findPage(path);
  if (content === undefined) notFound();
  const access = await findAccess();
  const [{ authors }, articles] = await Promise.all([
    readNavigation(content.language, access),
    isOfType(content, 'category') ? readTopicArticles(content, access) : [],
  ]);
  const shown = { content, articles, authorUris: listAuthorUris(authors) };
  const preview = access === 'published' || access.isShared ? undefined : readPreviewSettings();
  return (
    <Frame language={content.language} access={access} hasToolbar={preview !== undefined}>
      {preview ? <LiveContent {...shown} preview={preview} /> : <ContentView {...shown} />}
    </Frame>
  );
}

async function readPath(params: PageProps['params']): Promise<string> {
  const { path } = await params;
  return path.map(decodeURIComponent).join('/');
}

function findFrontPageLanguage(path: string): string | undefined {
  return LANGUAGES.find(({ code }) => findFrontPage(code) === path)?.code;
}
