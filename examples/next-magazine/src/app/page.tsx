import { draftMode } from 'next/headers';
import { buildPath } from '../lib/build-path.ts';
import { readArticles } from '../lib/cached-content.ts';
import { describePage } from '../lib/content.ts';

export default async function FrontPage() {
  const { isEnabled } = await draftMode();
  const articles = await readArticles(isEnabled);
  return (
    <ul className="articles">
      {articles.map((article) => {
        const { lead, picture } = describePage(article);
        return (
          <li key={article.id}>
            {picture && (
              <img
                src={picture.url}
                alt={picture.description ?? ''}
                width={picture.width ?? undefined}
                height={picture.height ?? undefined}
              />
            )}
            <h2>
              <a href={buildPath(article.uri)}>{article.name}</a>
            </h2>
            <p>{lead}</p>
          </li>
        );
      })}
    </ul>
  );
}
