// A minimal model of content as described in the documentation: what each call changes, and what readers see afterwards. It
// shares no code with the service.

export interface NaiveVersion {
  readonly name: string;
  /** Whether the version has all required values. */
  readonly isWhole: boolean;
}

export class NaiveContent {
  readonly language: string;
  /** The number of the content's translation group. */
  readonly group: number;
  readonly versions: NaiveVersion[];
  state: 'draft' | 'published' | 'unpublished' | 'archived' = 'draft';
  /** The version that readers see, and its publish time. `now` stands for the time of the call. */
  shown: { readonly version: number; readonly since: number | 'now' } | undefined;
  publishAt: number | null = null;
  unpublishAt: number | null = null;
  /** The last failed schedule, until somebody deals with it. */
  failed: { readonly action: 'publish'; readonly dueAt: number; readonly failedAt: number } | null = null;

  constructor(language: string, group: number, first: NaiveVersion) {
    this.language = language;
    this.group = group;
    this.versions = [first];
  }

  get newest(): NaiveVersion {
    const newest = this.versions.at(-1);
    if (newest === undefined) throw new Error('The content has no version');
    return newest;
  }

  get stateName(): string {
    const isChanged = this.state === 'published' && this.shown?.version !== this.versions.length;
    return isChanged ? 'changed' : this.state;
  }

  get publicName(): string | null {
    return this.shown === undefined ? null : (this.versions[this.shown.version - 1]?.name ?? null);
  }

  get previewName(): string | null {
    return this.state === 'archived' ? null : this.newest.name;
  }

  /** Returns the expected response status, as do all methods that model a call. */
  save(seen: number, version: NaiveVersion): number {
    if (this.state === 'archived') return 409;
    if (version.name === this.newest.name && version.isWhole === this.newest.isWhole) return 200;
    if (seen !== this.versions.length) return 409;
    this.versions.push(version);
    return 200;
  }

  publish(byHand: number | undefined): number {
    if (this.state === 'archived') return 409;
    if (!this.newest.isWhole) return 422;
    this.#show(byHand ?? this.shown?.since ?? 'now');
    this.failed = null;
    return 200;
  }

  /** Saves the published version again as the latest version. */
  discard(): number {
    const { shown } = this;
    if (shown === undefined) return 409;
    const version = this.versions[shown.version - 1];
    if (version === undefined || shown.version === this.versions.length) return 200;
    this.versions.push(version);
    this.shown = { ...shown, version: this.versions.length };
    this.publishAt = null;
    this.failed = null;
    return 200;
  }

  unpublish(): number {
    if (this.state !== 'published') return 409;
    this.#hide('unpublished');
    this.failed = null;
    return 200;
  }

  archive(): number {
    if (this.state === 'archived') return 409;
    this.#hide('archived');
    this.failed = null;
    return 200;
  }

  restore(): number {
    if (this.state !== 'archived') return 409;
    this.state = 'draft';
    return 200;
  }

  schedule(publishAt: number | undefined, unpublishAt: number | undefined, now: number): number {
    if (this.state === 'archived') return 409;
    if (publishAt !== undefined && !this.newest.isWhole) return 422;
    const isPast = [publishAt, unpublishAt].some((time) => time !== undefined && time <= now);
    const first = publishAt ?? this.publishAt;
    const last = unpublishAt ?? this.unpublishAt;
    if (isPast || (first !== null && last !== null && last <= first)) return 422;
    this.publishAt = first;
    this.unpublishAt = last;
    if (publishAt !== undefined) this.failed = null;
    return 200;
  }

  cancel(which: 'publish' | 'unpublish' | 'both'): number {
    if (this.state === 'archived') return 409;
    const hasPublish = which !== 'unpublish' && (this.publishAt !== null || this.failed !== null);
    const hasUnpublish = which !== 'publish' && this.unpublishAt !== null;
    if (hasPublish) {
      this.publishAt = null;
      this.failed = null;
    }
    if (hasUnpublish) this.unpublishAt = null;
    return hasPublish || hasUnpublish ? 200 : 409;
  }

  /** Runs the schedules that are due at the given time. If content cannot be published at that time, it is not published later either. */
  pass(time: number): void {
    const { publishAt } = this;
    if (publishAt !== null && publishAt <= time) {
      this.publishAt = null;
      if (this.newest.isWhole) this.#show(this.shown?.since ?? publishAt);
      else this.failed = { action: 'publish', dueAt: publishAt, failedAt: time };
    }
    if (this.unpublishAt === null || this.unpublishAt > time) return;
    this.unpublishAt = null;
    if (this.state === 'published') this.#hide('unpublished');
  }

  #show(since: number | 'now'): void {
    this.state = 'published';
    this.shown = { version: this.versions.length, since };
    this.publishAt = null;
  }

  #hide(state: 'unpublished' | 'archived'): void {
    this.state = state;
    this.shown = undefined;
    this.publishAt = null;
    this.unpublishAt = null;
  }
}
