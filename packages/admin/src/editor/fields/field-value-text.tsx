// A read-only view of a field's value: rich text with its formatting, other text as typed, and names instead of IDs.

import type { ManagedFieldBody, ManagedTypeBody } from '@galley/wire';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isNotFound } from '../../api/api-error.ts';
import { assetQuery } from '../../assets/asset-queries.ts';
import { authorQuery } from '../../authors/author-queries.ts';
import { TextLink } from '../../elements/link-button.tsx';
import { TimeText } from '../../elements/time-text.tsx';
import { siteQuery } from '../../sites/site-queries.ts';
import { TAB_TEXTS } from '../../texts/tab-texts.ts';
import classes from './field-value-text.module.css';
import { type BlockValue, isRecord, readBlocks, readItems } from './field-values.ts';
import { HtmlView, readHtmlNodes } from './html-view.tsx';
import { linkedContentQuery } from './picker-queries.ts';

export interface ValueContext {
  readonly site: string;
  readonly types: readonly ManagedTypeBody[];
}

interface FieldValueTextProps extends ValueContext {
  readonly field: ManagedFieldBody;
  /** An object with one accessor; undefined if there is no value. */
  readonly value: unknown;
}

export function FieldValueText({ field, value, ...context }: FieldValueTextProps) {
  const items = listItems(field, value);
  if (items === undefined) return <ItemText field={field} item={readSingle(value)} {...context} />;
  if (items.length === 0) return <EmptyText />;
  const List = field.type === 'list' || field.type === 'blocks' ? 'ol' : 'ul';
  return (
    <List className={classes.list}>
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: equal items differ only in their position
        <li key={index}>
          <ItemText field={field} item={item} {...context} />
        </li>
      ))}
    </List>
  );
}

function listItems({ type }: ManagedFieldBody, value: unknown): readonly unknown[] | undefined {
  if (type === 'blocks') return readBlocks(value);
  return type === 'list' || type === 'assets' || type === 'content_links' ? readItems(value, type) : undefined;
}

/** The value of the only accessor. */
function readSingle(value: unknown): unknown {
  return isRecord(value) ? Object.values(value)[0] : undefined;
}

interface ItemTextProps extends ValueContext {
  readonly field: ManagedFieldBody | undefined;
  readonly item: unknown;
}

/** One value, or one item of a list. */
export function ItemText({ field, item, site, types }: ItemTextProps): ReactNode {
  if (item === undefined || item === null || item === '') return <EmptyText />;
  const [block] = isRecord(item) ? readBlocks({ blocks: [item] }) : [];
  if (block !== undefined) return <BlockText block={block} site={site} types={types} />;
  if (typeof item === 'boolean') return item ? TAB_TEXTS.yes : TAB_TEXTS.no;
  if (typeof item === 'number') return item.toLocaleString('en', { maximumFractionDigits: 20 });
  if (typeof item !== 'string') return JSON.stringify(item);
  switch (field?.type) {
    case 'date':
      return <TimeText value={item} withTime />;
    case 'option':
      return field.options?.find(({ value }) => value === item)?.label ?? item;
    case 'assets':
      return <AssetName site={site} id={item} />;
    case 'content_links':
      return <ContentName site={site} id={item} />;
    default:
      return field?.format === 'html' ? (
        <HtmlText html={item} site={site} />
      ) : (
        <span className={classes.text}>{item}</span>
      );
  }
}

function BlockText({ block, site, types }: ValueContext & { readonly block: BlockValue }) {
  const type = types.find(({ handle }) => handle === block.content_type);
  const title = type?.name ?? block.content_type;
  const filled = (type?.fields ?? []).filter(({ handle }) => Object.hasOwn(block.fields, handle));
  return (
    <div className={classes.block}>
      <div className={classes.blockTitle}>{block.name === null ? title : `${title}: ${block.name}`}</div>
      <dl className={classes.members}>
        {filled.map((field) => (
          <div key={field.handle}>
            <dt className={classes.member}>{field.name}</dt>
            <dd className={classes.value}>
              <FieldValueText field={field} value={block.fields[field.handle]} site={site} types={types} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function HtmlText({ html, site }: { readonly html: string; readonly site: string }) {
  const { data } = useQuery(siteQuery(site));
  return <HtmlView nodes={readHtmlNodes(html, data?.url ?? null)} />;
}

function EmptyText() {
  return <span className={classes.empty}>{TAB_TEXTS.empty}</span>;
}

interface NamedReferenceProps {
  readonly site: string;
  readonly id: string;
}

interface Named {
  readonly data: { readonly name: string } | undefined;
  readonly error: Error | null;
}

export function AuthorName({ site, id }: NamedReferenceProps) {
  return showName(useQuery(authorQuery(site, id)), TAB_TEXTS.deleted.author);
}

function AssetName({ site, id }: NamedReferenceProps) {
  return showName(useQuery(assetQuery(site, id)), TAB_TEXTS.deleted.asset);
}

export function ContentName({ site, id }: NamedReferenceProps) {
  const known = useQuery(linkedContentQuery(site, id));
  if (known.data === undefined) return showName(known, TAB_TEXTS.deleted.content);
  return (
    <TextLink to="/sites/$site/content/$id" params={{ site, id }}>
      {known.data.name}
    </TextLink>
  );
}

function showName({ data, error }: Named, deleted: string): string {
  return data?.name ?? (isNotFound(error) ? deleted : TAB_TEXTS.loadingName);
}
