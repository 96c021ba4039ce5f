// The content of a page. It is rendered on the server and, in the preview, also in the browser; see live-view.tsx.

import { isOfType } from '@galley/client';
import { editAttributes } from '@galley/preview';
import { buildPath } from '../lib/build-path.ts';
import {
  type Article,
  type AuthorPage,
  type AuthorUris,
  type Content,
  findColour,
  findTopic,
  listLinked,
  type Page,
  type Topic,
} from '../lib/content.ts';
import { chooseTexts, formatDate } from '../lib/site.ts';
import { Blocks } from './blocks.tsx';
import { Markdown } from './markdown.tsx';
import { Picture } from './picture.tsx';
import { Teasers } from './teasers.tsx';

export interface ContentViewProps {
  readonly content: Content;
  /** The articles on a topic. */
  readonly articles: readonly Article[];
  /** The preview needs all of them, because the editor can choose another author. */
  readonly authorUris: AuthorUris;
}

export function ContentView({ content, articles, authorUris }: ContentViewProps) {
  if (isOfType(content, 'article')) return <ArticleView article={content} authorUris={authorUris} />;
  if (isOfType(content, 'author_page')) return <AuthorView author={content} />;
  if (isOfType(content, 'category')) return <TopicView topic={content} articles={articles} />;
  return <PageView page={content} />;
}

function ArticleView({ article, authorUris }: { readonly article: Article; readonly authorUris: AuthorUris }) {
  const { name, author, published_at, language, fields } = article;
  const texts = chooseTexts(language);
  const topic = findTopic(article);
  const authorUri = author && authorUris[author.id];
  return (
    <article className={`page ${findColour(topic)}`}>
      <header>
        <p className="kicker">
          {topic && <a href={buildPath(topic.uri)}>{topic.name}</a>}
          {fields.format.selected_option && (
            <span {...editAttributes(article, 'fields.format')}>{fields.format.selected_option.label}</span>
          )}
        </p>
        <h1>{name}</h1>
        <p className="lead">{fields.standfirst.text}</p>
        <p className="byline">
          {author && (
            <span>
              {texts.by} {authorUri ? <a href={buildPath(authorUri)}>{author.name}</a> : author.name}
            </span>
          )}
          {published_at ? (
            <time dateTime={published_at}>{formatDate(published_at, language)}</time>
          ) : (
            <span>{texts.draft}</span>
          )}
          {fields.reading_time.number !== null && (
            <span {...editAttributes(article, 'fields.reading_time')}>
              {fields.reading_time.number.toLocaleString(language)} {texts.minutes}
            </span>
          )}
        </p>
      </header>
      <Picture
        asset={fields.cover.assets[0]?.asset}
        shape="cover"
        isFirst
        edit={editAttributes(article, 'fields.cover.assets[0]')}
      />
      <Markdown text={fields.body.text} />
      {fields.key_points.list.length > 0 && (
        <aside className="key-points">
          <h2>{texts.keyPoints}</h2>
          <ul>
            {fields.key_points.list.map(({ sort, text }) => (
              <li key={sort}>{text}</li>
            ))}
          </ul>
        </aside>
      )}
      <Blocks blocks={fields.sections.blocks} content={article} path="fields.sections" />
      {fields.reported_on.date && (
        <p className="colophon">
          {texts.reportedOn}{' '}
          <time dateTime={fields.reported_on.date} {...editAttributes(article, 'fields.reported_on')}>
            {formatDate(fields.reported_on.date, language)}
          </time>
        </p>
      )}
      <Teasers heading={texts.related} items={listLinked(fields.related.content_links)} />
    </article>
  );
}

function PageView({ page }: { readonly page: Page }) {
  const { name, language, fields } = page;
  return (
    <article className="page">
      <header>
        <h1>{name}</h1>
        <p className="lead">{fields.intro.text}</p>
      </header>
      <Picture
        asset={fields.hero.assets[0]?.asset}
        shape="cover"
        isFirst
        edit={editAttributes(page, 'fields.hero.assets[0]')}
      />
      <Markdown text={fields.body.text} />
      <Blocks blocks={fields.sections.blocks} content={page} path="fields.sections" />
      {/* Galley removes everything dangerous from HTML when it is saved. */}
      {fields.footnote.text && <div className="colophon" dangerouslySetInnerHTML={{ __html: fields.footnote.text }} />}
      <Teasers heading={chooseTexts(language).links} items={listLinked(fields.links.content_links)} />
    </article>
  );
}

function AuthorView({ author }: { readonly author: AuthorPage }) {
  const { name, language, fields } = author;
  const texts = chooseTexts(language);
  return (
    <article className="page author">
      <header>
        <Picture
          asset={fields.portrait.assets[0]?.asset}
          shape="portrait"
          isFirst
          edit={editAttributes(author, 'fields.portrait.assets[0]')}
        />
        <p className="kicker">{fields.role.text}</p>
        <h1>{name}</h1>
        <p className="byline">
          {fields.based_in.text && (
            <span>
              {texts.basedIn} <span>{fields.based_in.text}</span>
            </span>
          )}
          {fields.joined_on.date && (
            <span>
              {texts.joinedOn}{' '}
              <time dateTime={fields.joined_on.date} {...editAttributes(author, 'fields.joined_on')}>
                {formatDate(fields.joined_on.date, language)}
              </time>
            </span>
          )}
          {fields.takes_commissions.is_on && (
            <span {...editAttributes(author, 'fields.takes_commissions')}>{texts.takesCommissions}</span>
          )}
        </p>
      </header>
      <Markdown text={fields.bio.text} />
      {fields.specialities.list.length > 0 && (
        <aside className="key-points">
          <h2>{texts.specialities}</h2>
          <ul>
            {fields.specialities.list.map(({ sort, text }) => (
              <li key={sort}>{text}</li>
            ))}
          </ul>
        </aside>
      )}
      <Teasers heading={texts.articlesBy} items={listLinked(fields.selected_articles.content_links)} />
    </article>
  );
}

function TopicView({ topic, articles }: { readonly topic: Topic; readonly articles: readonly Article[] }) {
  const { name, language, fields } = topic;
  const texts = chooseTexts(language);
  return (
    <article className={`page topic ${findColour(topic)}`}>
      <header {...editAttributes(topic, 'fields.colour')}>
        <p className="kicker">{texts.topics}</p>
        <h1>{name}</h1>
        <p className="lead">{fields.summary.text}</p>
      </header>
      <Picture
        asset={fields.icon.assets[0]?.asset}
        shape="cover"
        isFirst
        edit={editAttributes(topic, 'fields.icon.assets[0]')}
      />
      <Markdown text={fields.description.text} />
      <Teasers heading={texts.articlesIn} items={articles} />
    </article>
  );
}
