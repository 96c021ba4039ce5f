import { buildPath } from '../lib/build-path.ts';
import { chooseTexts, findFrontPage } from '../lib/site.ts';

interface NoticeProps {
  readonly kicker: string;
  readonly title: string;
  readonly text: string;
  readonly language: string;
}

/** A page with a message instead of content. */
export function Notice({ kicker, title, text, language }: NoticeProps) {
  return (
    <article className="notice">
      <p className="kicker">{kicker}</p>
      <h1>{title}</h1>
      <p className="lead">{text}</p>
      <p>
        <a href={buildPath(findFrontPage(language))}>{chooseTexts(language).home}</a>
      </p>
    </article>
  );
}
