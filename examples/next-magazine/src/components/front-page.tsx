import { readArticles } from '../lib/cached-content.ts';
import { type Article, describeTeaser, findColour, findTopic } from '../lib/content.ts';
import { chooseTexts } from '../lib/site.ts';
import { findAccess } from '../lib/visitor.ts';
import { Frame } from './frame.tsx';
import { Picture } from './picture.tsx';
import { Teasers } from './teasers.tsx';

export async function FrontPage({ language }: { readonly language: string }) {
  const access = await findAccess();
  const articles = await readArticles(language, access);
  const lead = articles.find(({ fields }) => fields.is_featured.is_on) ?? articles[0];
  return (
    <Frame language={language} access={access}>
      {lead && <LeadArticle article={lead} />}
      <Teasers heading={chooseTexts(language).latest} items={articles.filter((article) => article !== lead)} />
    </Frame>
  );
}

function LeadArticle({ article }: { readonly article: Article }) {
  const { name, path, lead, picture } = describeTeaser(article);
  const topic = findTopic(article);
  return (
    <section className={`lead-article ${findColour(topic)}`}>
      <Picture asset={picture} shape="lead" isFirst />
      <div>
        {topic && <p className="kicker">{topic.name}</p>}
        <h1>
          <a href={path}>{name}</a>
        </h1>
        <p className="lead">{lead}</p>
        {article.author && (
          <p className="byline">
            {chooseTexts(article.language).by} {article.author.name}
          </p>
        )}
      </div>
    </section>
  );
}
