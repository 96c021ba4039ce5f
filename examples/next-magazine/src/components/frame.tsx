import type { ReactNode } from 'react';
import { buildPath } from '../lib/build-path.ts';
import { readNavigation } from '../lib/cached-content.ts';
import type { Access } from '../lib/draft-mode.ts';
import { chooseTexts, findFrontPage, LANGUAGES, SITE_NAME } from '../lib/site.ts';

interface FrameProps {
  readonly language: string;
  readonly access: Access;
  /** Whether the page shows the preview library's toolbar. */
  readonly hasToolbar?: boolean;
  readonly children: ReactNode;
}

/** Everything around the content of a page. */
export async function Frame({ language, access, hasToolbar = false, children }: FrameProps) {
  const { pages, topics, authors } = await readNavigation(language, access);
  const texts = chooseTexts(language);
  return (
    <div className="sheet" lang={language}>
      <a className="skip" href="#main">
        {texts.skip}
      </a>
      {access !== 'published' && !hasToolbar && (
        <p className="draft" lang="en">
          {access.isShared ? 'You are looking at a shared preview.' : 'Draft mode is on.'}{' '}
          <a href="/api/draft/leave">Leave preview</a>
        </p>
      )}
      <header className="masthead">
        <a className="wordmark" href={buildPath(findFrontPage(language))}>
          {SITE_NAME}
        </a>
        <p className="tagline">{texts.tagline}</p>
        <nav aria-label={texts.topics}>
          <ul>
            {topics.map(({ id, name, uri }) => (
              <li key={id}>
                <a href={buildPath(uri)}>{name}</a>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      <main id="main">{children}</main>
      <footer className="footer">
        <nav aria-label={texts.contributors}>
          <h2>{texts.contributors}</h2>
          <ul>
            {authors.map(({ id, name, uri }) => (
              <li key={id}>
                <a href={buildPath(uri)}>{name}</a>
              </li>
            ))}
          </ul>
        </nav>
        <nav aria-label={texts.about}>
          <h2>{texts.about}</h2>
          <ul>
            {pages.map(({ id, name, uri }) => (
              <li key={id}>
                <a href={buildPath(uri)}>{name}</a>
              </li>
            ))}
            <li>
              <a href={buildPath(`${findFrontPage(language)}/rss.xml`)}>{texts.feed}</a>
            </li>
          </ul>
        </nav>
        <nav aria-label={texts.languages}>
          <h2>{texts.languages}</h2>
          <ul>
            {LANGUAGES.map(({ code, prefix, name }) => (
              <li key={code}>
                <a href={buildPath(prefix)} lang={code} hrefLang={code}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </footer>
    </div>
  );
}
