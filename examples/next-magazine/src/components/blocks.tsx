import { isOfType } from '@galley/client';
import { editAttributes } from '@galley/preview';
import { type Asset, type Block, type Content, listLinked } from '../lib/content.ts';
import { chooseTexts } from '../lib/site.ts';
import { Markdown } from './markdown.tsx';
import { Picture } from './picture.tsx';
import { Teasers } from './teasers.tsx';

interface BlocksProps {
  readonly blocks: readonly Block[];
  readonly content: Content;
  /** The path of the blocks field in the content, such as `fields.sections`. */
  readonly path: string;
}

/** Blocks can be nested. */
export function Blocks({ blocks, content, path }: BlocksProps) {
  return blocks.map((block, index) => (
    <BlockView key={block.sort} block={block} content={content} path={`${path}.blocks[${index}]`} />
  ));
}

interface BlockViewProps {
  readonly block: Block;
  readonly content: Content;
  /** The path of the block in the content. */
  readonly path: string;
}

function BlockView({ block, content, path }: BlockViewProps) {
  if (isOfType(block, 'text_block')) {
    return (
      <section className="block text">
        <Heading text={block.fields.heading.text} />
        <Markdown text={block.fields.text.text} />
      </section>
    );
  }
  if (isOfType(block, 'quote')) {
    return (
      <figure className="block quote">
        <blockquote>{block.fields.text.text}</blockquote>
        {block.fields.attribution.text && <figcaption>{block.fields.attribution.text}</figcaption>}
      </figure>
    );
  }
  if (isOfType(block, 'image_block')) {
    const { image, caption, is_wide } = block.fields;
    return (
      <figure className={`block pictures ${is_wide.is_on ? 'wide' : ''}`}>
        <Pictures assets={image.assets} content={content} path={`${path}.fields.image`} />
        {caption.text && <figcaption>{caption.text}</figcaption>}
      </figure>
    );
  }
  if (isOfType(block, 'gallery')) {
    const { images, caption } = block.fields;
    return (
      <figure className="block pictures gallery wide">
        <div>
          <Pictures assets={images.assets} content={content} path={`${path}.fields.images`} />
        </div>
        {caption.text && <figcaption>{caption.text}</figcaption>}
      </figure>
    );
  }
  if (isOfType(block, 'method')) {
    const { heading, minutes, steps } = block.fields;
    const texts = chooseTexts(content.language);
    return (
      <section className="block method">
        <Heading text={heading.text} />
        {minutes.number !== null && (
          <p className="byline" {...editAttributes(content, `${path}.fields.minutes`)}>
            {texts.takes} {minutes.number.toLocaleString(content.language)} {texts.minutesLong}
          </p>
        )}
        <ol>
          {steps.list.map(({ sort, text }) => (
            <li key={sort}>{text}</li>
          ))}
        </ol>
      </section>
    );
  }
  if (isOfType(block, 'see_also')) {
    return (
      <div className="block see-also">
        <Teasers heading={block.fields.heading.text} items={listLinked(block.fields.contents.content_links)} />
      </div>
    );
  }
  if (isOfType(block, 'columns')) {
    return (
      <section className="block columns wide">
        <Heading text={block.fields.heading.text} />
        <div>
          <Blocks blocks={block.fields.columns.blocks} content={content} path={`${path}.fields.columns`} />
        </div>
      </section>
    );
  }
  const { heading, tone, content: inner } = block.fields;
  return (
    <section className={`block panel ${tone.selected_option?.value ?? 'plain'}`}>
      <Heading text={heading.text} />
      <Blocks blocks={inner.blocks} content={content} path={`${path}.fields.content`} />
    </section>
  );
}

function Heading({ text }: { readonly text: string | null }) {
  return text && <h2>{text}</h2>;
}

interface PicturesProps {
  readonly assets: readonly { readonly sort: number; readonly asset: Asset }[];
  readonly content: Content;
  readonly path: string;
}

function Pictures({ assets, content, path }: PicturesProps) {
  return assets.map(({ sort, asset }, index) => (
    <Picture key={sort} asset={asset} shape="text" edit={editAttributes(content, `${path}.assets[${index}]`)} />
  ));
}
