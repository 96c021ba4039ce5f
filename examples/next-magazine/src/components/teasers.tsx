import { type Article, describeTeaser, type Linked } from '../lib/content.ts';
import { Picture } from './picture.tsx';

interface TeasersProps {
  readonly heading: string | null;
  readonly items: readonly (Article | Linked)[];
}

/** A list of articles or other pages. */
export function Teasers({ heading, items }: TeasersProps) {
  if (items.length === 0) return null;
  return (
    <section className="teasers">
      {heading && <h2>{heading}</h2>}
      <ul>
        {items.map((item) => {
          const { id, name, path, kicker, lead, picture } = describeTeaser(item);
          return (
            <li key={id}>
              <Picture asset={picture} shape="teaser" />
              {kicker && <p className="kicker">{kicker}</p>}
              <h3>
                <a href={path}>{name}</a>
              </h3>
              <p>{lead}</p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
