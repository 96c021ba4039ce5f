// Adds the content type to the index on an author's content. If a list uses a field that only some types have, each of the author's objects
// is now looked up only once.

export function tellTypesOfAuthors(): readonly string[] {
  return (['published', 'preview'] as const).flatMap((model) => {
    const contents = `${model}_contents`;
    return [
      `drop index ${contents}_author`,
      `create index ${contents}_author on ${contents} (site_no, language, author_no, published_at desc, id, type_no)`,
    ];
  });
}
