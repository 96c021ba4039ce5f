// Code that must compile against the library and code that must not, with and without the types that `galley types` generates
// for the demo. Each source is a file, and the compiler reads all of them at once.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from './workshop.ts';

const START = `import { type ContentHandle, type ContentOf, createClient, isOfType, type ListParams, type SortKey } from '@galley/client';
import type { Article, AuthorPage, Category, Page, Site } from './content.ts';
export type Equal<One, Other> =
  (<Value>() => Value extends One ? 1 : 2) extends <Value>() => Value extends Other ? 1 : 2 ? true : false;
export function claim<_Claim extends true>(): void {}
export type Used = [ContentHandle<Site>, ContentOf<Site>, ListParams<Site>, SortKey<Article | AuthorPage | Category | Page>, typeof isOfType];
export const client = createClient<Site>({ apiURL: 'https://content.example', apiKey: 'key', siteId: 's_demo' });
`;

const SOURCES = {
  "types include the site's content types, fields, sort keys and languages": `${START}
    claim<Equal<ContentHandle<Site>, 'article' | 'author_page' | 'category' | 'page'>>();
    claim<Equal<ContentOf<Site>, Article | AuthorPage | Category | Page>>();
    claim<Equal<
      Exclude<SortKey<Article>, 'published_at' | 'created_at' | 'updated_at' | 'name' | 'slug' | 'uri'>,
      'standfirst.text' | 'body.text' | 'reading_time.number'
    >>();

    const articles = await client.getContentByType({ contentType: 'article', sortBy: 'reading_time.number', sortDirection: 'asc', limit: 3 });
    claim<Equal<typeof articles.content, Article[]>>();
    const text: string | undefined = articles.content[0]?.fields.standfirst.text;
    const next = await articles.nextPage?.({ language: 'fr' });
    claim<Equal<NonNullable<typeof next>['content'], Article[]>>();
    const parameters = articles.pagination?.next;
    if (parameters) await client.getContent({ params: parameters });

    const page = await client.getContentBySlug('about', 'page', { language: 'en', isPreview: false, timeout: 5 });
    claim<Equal<typeof page, Page>>();

    const narrowed = await client.getContent({ params: { content_type: 'category', sort: ['name:asc', 'slug'] } });
    claim<Equal<typeof narrowed.content, Category[]>>();
    const two = await client.getContent({ params: { content_type: ['article', 'page'], match: 'any', sort: 'reading_time.number' } });
    claim<Equal<typeof two.content, (Article | Page)[]>>();
    const all = await client.getContent({ params: { sort: 'reading_time.number:desc', fields: { text: { standfirst: 'x' } } } });
    claim<Equal<typeof all.content, (Article | AuthorPage | Category | Page)[]>>();
    const everything = await client.getContent();
    claim<Equal<typeof everything.content, (Article | AuthorPage | Category | Page)[]>>();

    await client.getContent({
      params: {
        content_type: 'article',
        fields: {
          text: { standfirst: ['a', 'b'] },
          number: { reading_time: 5 },
          is_on: { is_featured: true },
          selected_option: { format: ['essay', 'guide'] },
          content_links: { related: { slug: 'a', id: ['c_1'] } },
        },
      },
    });
    const params: ListParams<Site, 'article'> = { content_type: 'article', slug: undefined, sort: 'name' };
    for await (const article of client.iterate({ params, lookAhead: 2 })) claim<Equal<typeof article, Article>>();

    const object = await client.getContentById('c_1');
    claim<Equal<typeof object, Article | AuthorPage | Category | Page>>();
    if (isOfType(object, 'article')) {
      claim<Equal<typeof object, Article>>();
      for (const block of object.fields.sections.blocks) if (isOfType(block, 'quote')) block.content_type.handle satisfies 'quote';
    }
    export const { getContentByType } = client;
    export const values = [text];
  `,

  'types reject handles, fields, sort keys, filters and languages that the site does not have': `${START}
    // @ts-expect-error no such content type
    await client.getContentByType({ contentType: 'post' });
    // @ts-expect-error a block is not content
    await client.getContentBySlug('a', 'quote');
    // @ts-expect-error no such content type
    await client.getContent({ params: { content_type: ['article', 'post'] } });
    // @ts-expect-error no such content type
    client.iterate({ params: { content_type: 'post' } });
    // @ts-expect-error no such attribute
    await client.getContentByType({ contentType: 'article', sortBy: 'title' });
    // @ts-expect-error a field of a different content type
    await client.getContentByType({ contentType: 'category', sortBy: 'reading_time.number' });
    // @ts-expect-error not the accessor of this field
    await client.getContentByType({ contentType: 'article', sortBy: 'reading_time.text' });
    // @ts-expect-error this field cannot be used for sorting
    await client.getContentByType({ contentType: 'article', sortBy: 'is_featured.is_on' });
    // @ts-expect-error the direction has its own option
    await client.getContentByType({ contentType: 'article', sortBy: 'name:asc' });
    // @ts-expect-error no such direction
    await client.getContentByType({ contentType: 'article', sortDirection: 'up' });
    // @ts-expect-error no such direction
    await client.getContent({ params: { sort: 'name:up' } });
    // @ts-expect-error no content type has this field
    await client.getContent({ params: { sort: 'nothing.text' } });
    // @ts-expect-error a field of a different content type
    await client.getContent({ params: { content_type: 'category', sort: 'reading_time.number' } });
    // @ts-expect-error no such field
    await client.getContent({ params: { fields: { text: { nothing: 'a' } } } });
    // @ts-expect-error a field of a different content type
    await client.getContent({ params: { content_type: 'category', fields: { number: { reading_time: 1 } } } });
    // @ts-expect-error the type has no boolean fields
    await client.getContent({ params: { content_type: 'category', fields: { is_on: { nothing: true } } } });
    // @ts-expect-error the type has no option fields
    await client.getContent({ params: { content_type: 'category', fields: { selected_option: { format: 'essay' } } } });
    // @ts-expect-error the link determines the fallback
    await (await client.getContent()).nextPage?.({ fallbackDefaultLanguage: false });
    // @ts-expect-error not a number
    await client.getContent({ params: { fields: { number: { reading_time: 'five' } } } });
    // @ts-expect-error no such option
    await client.getContent({ params: { fields: { selected_option: { format: 'novel' } } } });
    // @ts-expect-error no such accessor
    await client.getContent({ params: { fields: { date: { reported_on: 'today' } } } });
    // @ts-expect-error links can be filtered only by id or slug
    await client.getContent({ params: { fields: { content_links: { related: { name: 'a' } } } } });
    // @ts-expect-error no such parameter
    await client.getContent({ params: { contentType: 'article' } });
    // @ts-expect-error no such language
    await client.getContentById('c_1', { language: 'de' });
    // @ts-expect-error no such language
    createClient<Site>({ apiURL: 'https://content.example', apiKey: 'key', siteId: 's_demo', language: 'de' });
    // @ts-expect-error the key is missing
    createClient<Site>({ apiURL: 'https://content.example', siteId: 's_demo' });
    const { content, nextPage } = await client.getContentByType({ contentType: 'article' });
    // @ts-expect-error the number may be null
    content[0]?.fields.reading_time.number.toFixed();
    // @ts-expect-error calls have no such option
    await client.getContentById('c_1', { langauge: 'fr', isPreview: true });
    // @ts-expect-error no such language
    await (await client.getContent()).nextPage?.({ language: 'de' });
    // @ts-expect-error a list of published content cannot continue with drafts
    await (await client.getContent()).nextPage?.({ isPreview: true });
    // @ts-expect-error no such field
    content[0]?.fields.nothing;
    // @ts-expect-error the method may be undefined
    await nextPage();
    const object = await client.getContentById('c_1');
    // @ts-expect-error not every content type has this field
    object.fields.standfirst;
    // @ts-expect-error no such content type
    isOfType(object, 'post');
    // @ts-expect-error not a site
    createClient<{ name: string }>({ apiURL: 'https://content.example', apiKey: 'key', siteId: 's_demo' });
  `,

  'types accept call options whose language is known only at run time': `${START}
    import type { CallOptions, FollowOptions } from '@galley/client';
    declare const call: CallOptions;
    declare const follow: FollowOptions;
    declare const language: string;
    await client.getContentById('c_1', call);
    await client.getContentBySlug('a', 'article', call);
    await client.getContentByType({ contentType: 'article' }, call);
    await client.getContent({ params: { content_type: 'article' } }, call);
    for await (const each of client.iterate({}, call)) void each;
    await client.getContentById('c_1', { language });
    const page = await client.getContent({}, { language });
    await page.nextPage?.(call);
    await page.nextPage?.(follow);
    await page.prevPage?.({ language });
    export function load(id: string, options?: CallOptions<Site['languages']>) {
      return client.getContentById(id, options);
    }
  `,

  'types of required values are non-null except in previews': `${START}
    import type { CallOptions, PreviewOf } from '@galley/client';
    import type { GalleyPreview } from './content.ts';
    const access = { apiURL: 'https://content.example', apiKey: 'key', siteId: 's_demo' };
    type Draft = Article<GalleyPreview>;
    claim<Equal<Draft['fields']['standfirst']['text'], string | null>>();
    claim<Equal<Article['fields']['standfirst']['text'], string>>();
    claim<Equal<ContentOf<PreviewOf<Site>, 'article'>, Draft>>();

    const article = await client.getContentBySlug('a', 'article', { language: 'fr' });
    claim<Equal<typeof article.fields.standfirst.text, string>>();
    const [related] = article.fields.related.content_links;
    related?.content_link satisfies { readonly fields: unknown } | undefined;
    const draft = await client.getContentBySlug('a', 'article', { isPreview: true });
    claim<Equal<typeof draft, Draft>>();
    declare const isPreview: boolean;
    const either = await client.getContentBySlug('a', 'article', { isPreview });
    claim<Equal<typeof either, Draft>>();
    declare const call: CallOptions;
    const any = await client.getContentBySlug('a', 'article', call);
    claim<Equal<typeof any, Draft>>();
    const drafts = await client.getContentByType({ contentType: 'article' }, { isPreview: true });
    claim<Equal<typeof drafts.content, Draft[]>>();
    const more = await drafts.nextPage?.();
    claim<Equal<NonNullable<typeof more>['content'], Draft[]>>();
    for await (const each of client.iterate({ params: { content_type: 'article' } }, { isPreview: true })) claim<Equal<typeof each, Draft>>();
    const one = await client.getContentById('c_1', { isPreview: true });
    if (isOfType(one, 'article')) claim<Equal<typeof one, Draft>>();

    const previewing = createClient<Site>({ ...access, isPreview: true });
    const seen = await previewing.getContentBySlug('a', 'article');
    claim<Equal<typeof seen, Draft>>();
    const maybe = createClient<Site>({ ...access, isPreview });
    const shown = await maybe.getContentByType({ contentType: 'article', sortBy: 'standfirst.text' });
    claim<Equal<typeof shown.content, Draft[]>>();
    const published = createClient<Site>({ ...access, isPreview: false });
    const read = await published.getContentBySlug('a', 'article');
    claim<Equal<typeof read, Article>>();
    export const fits: Draft = article;
    export const both: (typeof client | typeof previewing)[] = [client, previewing];
  `,

  'types generated for one site are assignable to the general types': `${START}
    import type { AnySite, Client, ContentBody, PageOf } from '@galley/client';
    export function useClient(given: Client): void { void given; }
    useClient(client);
    export function useBody(given: ContentBody): void { void given; }
    let anyPage: PageOf<AnySite, string>;
    const articles: PageOf<Site, 'article'> = await client.getContentByType({ contentType: 'article' });
    anyPage = articles;
    useBody(articles.content[0]!);
    await anyPage.nextPage?.({ language: 'whatever' });
    export async function latest<Handle extends ContentHandle<Site>>(handle: Handle): Promise<ContentOf<Site, Handle>[]> {
      return (await client.getContentByType({ contentType: handle, limit: 3 })).content;
    }
  `,

  'types declared in the generated file are the same as those in the library': `${START}
    import type {
      AssetBody, AssetsFieldBody, AuthorBody, BlockBody, BlocksFieldBody, BooleanFieldBody, ContentBody, ContentLinkBody, ContentLinksFieldBody,
      ContentTypeBody, DateFieldBody, LinkedIdsFieldBody, ListFieldBody, NumberFieldBody, ObjectType, OptionFieldBody, SeoBody, TextFieldBody,
    } from '@galley/client';
    import type {
      GalleyAsset, GalleyAssetsField, GalleyAuthor, GalleyBlock, GalleyBlocksField, GalleyBooleanField, GalleyContent, GalleyContentType, GalleyDateField,
      GalleyLinkedContent, GalleyLinksField, GalleyListField, GalleyNumberField, GalleyOptionField, GalleySeo, GalleyTextField,
    } from './content.ts';
    claim<Equal<GalleyAuthor, AuthorBody>>();
    claim<Equal<GalleySeo, SeoBody>>();
    claim<Equal<GalleyAsset, AssetBody>>();
    claim<Equal<GalleyContentType<string, ObjectType>, ContentTypeBody>>();
    claim<Equal<GalleyContent, Omit<ContentBody, 'content_type' | 'fields'>>>();
    claim<Equal<GalleyBlock, Omit<BlockBody, 'content_type' | 'fields'>>>();
    claim<Equal<GalleyLinkedContent<ContentLinkBody>, ContentLinkBody>>();
    claim<Equal<GalleyTextField<string>, TextFieldBody>>();
    claim<Equal<GalleyNumberField<string>, NumberFieldBody>>();
    claim<Equal<GalleyBooleanField<string>, BooleanFieldBody>>();
    claim<Equal<GalleyDateField<string>, DateFieldBody>>();
    claim<Equal<GalleyListField<string>, ListFieldBody>>();
    claim<Equal<GalleyOptionField<string, string>, OptionFieldBody>>();
    claim<Equal<GalleyAssetsField<string>, AssetsFieldBody>>();
    claim<Equal<GalleyBlocksField<string, BlockBody>, BlocksFieldBody>>();
    claim<Equal<GalleyLinksField<string, 'object', ContentLinkBody>, ContentLinksFieldBody>>();
    claim<Equal<GalleyLinksField<string, 'linked', ContentLinkBody>, LinkedIdsFieldBody>>();
  `,

  'types are narrowed only if the handle is a literal': `${START}
    const object = await client.getContentById('c_1');
    declare const handle: 'article' | 'page';
    if (isOfType(object, handle)) claim<Equal<typeof object, ContentOf<Site>>>();
    else claim<Equal<typeof object, ContentOf<Site>>>();
    const untyped = await createClient({ apiURL: 'https://content.example', apiKey: 'key', siteId: 's' }).getContentById('c_1');
    declare const any: string;
    if (!isOfType(untyped, any)) untyped.name satisfies string;
    if (!isOfType(untyped, 'article')) untyped.name satisfies string;
    if (!isOfType(object, 'article')) claim<Equal<typeof object, AuthorPage | Category | Page>>();
    const list = (await client.getContent()).content.filter((each) => isOfType(each, 'page'));
    claim<Equal<typeof list, Page[]>>();
    // @ts-expect-error no such content type
    isOfType(object, 'post' as 'article' | 'post');
  `,

  'types assume nothing about an unknown site': `
    import { type ContentBody, createClient, createMemoryStore, type FieldBody, isNotFound, isOfType } from '@galley/client';
    export type IsAny<Value> = 0 extends 1 & Value ? true : false;
    export function claim<_Claim extends true>(): void {}
    export function refute<_Claim extends false>(): void {}

    export const client = createClient({
      apiURL: 'https://content.example/api/v1',
      apiKey: 'key',
      siteId: 's_demo',
      isPreview: false,
      simplePagination: true,
      language: 'nds',
      headerPrefix: 'X-BRAND',
      timeout: false,
      retry: { attempts: 2, within: 1000 },
      fetch: globalThis.fetch,
      store: createMemoryStore({ maxEntries: 5 }),
      fetchOptions: { credentials: 'omit', headers: [['x-trace', '1']] },
    });
    const page = await client.getContentByType({ contentType: 'anything', sortBy: 'title.text' });
    const objects: ContentBody[] = page.content;
    refute<IsAny<(typeof page.content)[number]>>();
    const [object] = objects;
    const field = object?.fields['title'];
    refute<IsAny<typeof field>>();
    const known: FieldBody | undefined = field;
    if (field?.type === 'text') field.text satisfies string | null;
    const link = field?.type === 'content_links' ? field.content_links[0]?.content_link : undefined;
    for (const linked of Object.values(link?.fields ?? {})) {
      if (linked.type === 'content_links') linked.content_links satisfies readonly string[];
      if (linked.type !== 'blocks') continue;
      for (const block of linked.blocks) {
        const inner = block.fields['related'];
        if (inner?.type === 'content_links') inner.content_links satisfies readonly string[];
      }
    }
    const one = await client.getContentById('c_1', { signal: AbortSignal.abort(), fetchOptions: { headers: { a: 'b' } } });
    refute<IsAny<typeof one>>();
    if (isOfType(one, 'article')) one.fields['title'] satisfies FieldBody | undefined;
    await client.getContent({
      params: { content_type: ['a', 'b'], sort: ['a.text:asc', 'b.number', 'name'], fields: { selected_option: { colour: 'red' }, number: { rank: [1, 2] } } },
    });
    // @ts-expect-error no such accessor
    await client.getContent({ params: { sort: 'title.is_on' } });
    // @ts-expect-error no such parameter
    await client.getContent({ params: { per_page: 5 } });
    // @ts-expect-error the field may be undefined
    field.type;
    // @ts-expect-error the accessor depends on the field type
    known?.text;
    try {
      await client.getContentBySlug('a', 'b');
    } catch (error) {
      if (isNotFound(error)) error.code satisfies 'not_found';
    }
    claim<true>();
  `,

  'changes have the site’s types': `${START}
    import { type Client, type ContentBody, createMemoryMirror, type MirrorStore } from '@galley/client';
    const follower = createClient<Site>({ apiURL: 'https://content.example', apiKey: 'key', siteId: 's_demo' });
    const articles = createMemoryMirror<Article>();
    await follower.sync(articles, { contentType: 'article', batchSize: 10 });
    claim<Equal<typeof articles.objects, ReadonlyMap<string, Article>>>();
    const all: MirrorStore<ContentOf<Site>> = createMemoryMirror<ContentOf<Site>>();
    const result = await follower.sync(all, { live: true, onUpToDate: async ({ put }) => { put satisfies number; } });
    claim<Equal<typeof result.isFullSync, boolean>>();
    const any: MirrorStore = createMemoryMirror();
    await follower.sync(any);
    await follower.subscribe((event) => {
      // @ts-expect-error only changes have an id
      event.id;
      if (event.kind === 'reset') return;
      claim<Equal<typeof event.content, Article | Page | null | undefined>>();
      event.moved?.from satisfies string | undefined;
    }, { contentType: ['article', 'page'], withContent: true, since: 'k3' });
    // @ts-expect-error no such content type
    await follower.sync(all, { contentType: 'artcile' });
    // @ts-expect-error no such content type
    await follower.subscribe(() => {}, { contentType: ['post'] });
    const page = await follower.getContentBySlug('about', 'page');
    claim<Equal<typeof page, Page>>();
    const anywhere: Client = follower;
    await anywhere.sync(createMemoryMirror<ContentBody>());
    const previews = createClient<Site>({ apiURL: 'https://content.example', apiKey: 'key', siteId: 's_demo', isPreview: true });
    await previews.sync(articles, { contentType: 'article' });
  `,

  'image functions accept all parameters, and reject invalid values': `import { type AssetBody, type ImageFit, type ImageOptions, imageSrcSet, imageUrl, signImageSrcSet, signImageUrl } from '@galley/client';
import type { Article } from './content.ts';
declare const asset: AssetBody;
declare const article: Article;
export const used = [asset, article, imageSrcSet, imageUrl, signImageSrcSet, signImageUrl];
export type Used = [ImageFit, ImageOptions];
    const whole = {
      w: 300, h: 200, fit: 'crop', crop: '300,200,0,10', dpr: 2, or: 90, flip: 'both', bri: -10, con: 10, gam: 1.2, sharp: 5, blur: 5,
      pixel: 5, filt: 'sepia', bg: 'fff', border: '5w,red,expand', mark: 'a_logo', markw: '20w', markh: 100, markfit: 'max', markx: 5,
      marky: '5h', markpad: 5, markpos: 'top-left', markalpha: 50, q: 70, fm: 'auto', p: ['one', 'two'],
    } as const satisfies Required<ImageOptions>;
    imageUrl(asset, whole) satisfies string;
    const fits: readonly ImageFit[] = ['crop-left', 'cover-top-right', 'crop-25-75', 'crop-33.3-66.6', 'crop-25-75-2', 'fill-max'];
    for (const fit of fits) imageUrl(asset, { fit });
    imageUrl(asset);
    imageUrl({ url: '/photo.jpg' }, { w: undefined, p: 'one' });
    imageUrl({ url: '/photo.jpg', mime_type: 'image/jpeg', width: null, height: null });
    imageUrl({ url: '/photo.jpg', focal_point: { x: 1, y: 2 }, placeholder: null });
    for (const { asset: cover } of article.fields.cover.assets) imageUrl(cover, { w: 300 });
    imageSrcSet(asset, [400, 800], { ratio: 16 / 9, enlarge: true, fit: 'crop-top', fm: 'avif' }) satisfies string;
    imageSrcSet(asset, [400, 800] as const);
    (await signImageUrl(imageUrl(asset), 'key')) satisfies string;
    (await signImageSrcSet(imageSrcSet(asset, [400]), 'key')) satisfies string;

    // @ts-expect-error no such parameter
    imageUrl(asset, { width: 300 });
    // @ts-expect-error the signature has its own function
    imageUrl(asset, { s: 'abc' });
    // @ts-expect-error a number
    imageUrl(asset, { w: '300' });
    // @ts-expect-error no such fit
    imageUrl(asset, { fit: 'clip' });
    // @ts-expect-error no such position
    imageUrl(asset, { fit: 'crop-middle' });
    // @ts-expect-error cover takes no percentages
    imageUrl(asset, { fit: 'cover-25-75' });
    // @ts-expect-error both coordinates are required
    imageUrl(asset, { fit: 'crop-25' });
    // @ts-expect-error four numbers
    imageUrl(asset, { crop: '300,200' });
    // @ts-expect-error no such angle
    imageUrl(asset, { or: 45 });
    // @ts-expect-error the format is called jpg
    imageUrl(asset, { fm: 'jpeg' });
    // @ts-expect-error no such unit
    imageUrl(asset, { markw: '20%' });
    // @ts-expect-error an asset has a URL
    imageUrl({ mime_type: 'image/jpeg' });
    // @ts-expect-error an asset, not its URL
    imageUrl('/photo.jpg');
    // @ts-expect-error the widths set the size
    imageSrcSet(asset, [400], { w: 300 });
    // @ts-expect-error ratio sets the shape
    imageSrcSet(asset, [400], { h: 300 });
    // @ts-expect-error widths are numbers
    imageSrcSet(asset, ['400w']);
    // @ts-expect-error the key is required
    await signImageUrl(asset.url);
  `,
};

const INCORRECT = `${START} await client.getContentByType({ contentType: 'post' });`;

describe.each(['browser', 'node'] as const)('with the types of a %s', (surroundings) => {
  let workshop: Workshop;
  let messages: Readonly<Record<string, string>>;
  const names = Object.keys(SOURCES) as (keyof typeof SOURCES)[];

  beforeAll(async () => {
    workshop = await openWorkshop();
    const files = Object.fromEntries(names.map((name, index) => [`case-${index}`, SOURCES[name]]));
    messages = await workshop.compile({ ...files, incorrect: INCORRECT }, surroundings);
  });

  afterAll(() => workshop.close());

  test.each(names.map((name, index) => [name, index] as const))('%s', (_, index) => {
    expect(messages[`case-${index}`]).toBe('');
  });

  test('the compiler reports incorrect usage', () => {
    expect(messages.incorrect).toMatch(/^incorrect\.ts\(.+\): error TS2322: Type '"post"' is not assignable to type /);
  });
});
