// @galley/client: the official client library for Galley's delivery API.

export type {
  AssetBody,
  AssetItemBody,
  AssetsFieldBody,
  AuthorBody,
  BlockBody,
  BlocksFieldBody,
  BooleanFieldBody,
  ContentBody,
  ContentChangeBody,
  ContentLinkBody,
  ContentLinkItemBody,
  ContentLinksFieldBody,
  ContentMoveBody,
  ContentTypeBody,
  DateFieldBody,
  FieldBody,
  FieldsBody,
  FocalPointBody,
  LinkedBlockBody,
  LinkedBlocksFieldBody,
  LinkedFieldBody,
  LinkedFieldsBody,
  LinkedIdsFieldBody,
  ListFieldBody,
  ListItemBody,
  NumberFieldBody,
  ObjectType,
  OpenGraphBody,
  OptionBody,
  OptionFieldBody,
  SeoBody,
  TextFieldBody,
  Timestamp,
} from '@galley/wire';
export type { ImageAsset } from './asset-url.ts';
export type { ByTypeOptions, CallTo, Client, ClientOf, IterateOptions, ListOptions, PageOf } from './client.ts';
export type {
  CallOptions,
  ClientOptions,
  FetchFunction,
  FollowOptions,
  InLanguage,
  RequestOptions,
  RetryOptions,
} from './client-options.ts';
export type { ContentPage, Pagination } from './content-page.ts';
export { createClient } from './create-client.ts';
export type {
  ChangeEvent,
  ChangeMethods,
  ContentChange,
  FollowChangesOptions,
  ResetEvent,
  SubscribeOptions,
  SyncOptions,
  SyncResult,
} from './follow-options.ts';
export {
  GalleyError,
  type GalleyErrorCode,
  type GalleyErrorDetails,
  type GalleyErrorOf,
  isForbidden,
  isGalleyError,
  isInvalid,
  isMisconfigured,
  isNotFound,
  isRateLimited,
  isTimeout,
  isUnauthenticated,
  isUnavailable,
} from './galley-error.ts';
export type { ImageFit, ImageLength, ImageOptions, ImagePosition } from './image-options.ts';
export { type ImageSrcSetOptions, imageSrcSet } from './image-src-set.ts';
export { imageUrl } from './image-url.ts';
export type {
  FieldFilters,
  LinkFilter,
  ListParams,
  OneOrMore,
  Sort,
  SortAttribute,
  SortDirection,
  SortKey,
} from './list-params.ts';
export { type AnswerStore, createMemoryStore, type MemoryStoreOptions, type StoredAnswer } from './memory-store.ts';
export { createMemoryMirror, type MemoryMirror, type MirrorBatch, type MirrorStore } from './mirror-store.ts';
export { signImageSrcSet, signImageUrl } from './sign-image-url.ts';
export {
  type AnySite,
  type ContentHandle,
  type ContentOf,
  type ContentRead,
  isOfType,
  type OfType,
  type PreviewOf,
  type SiteShape,
} from './site.ts';
