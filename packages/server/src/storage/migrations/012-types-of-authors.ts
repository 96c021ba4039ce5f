// The index of an author's content tells the type of each object, so a list by a field that only some types have
// looks up each object of the author once.

export function tellTypesOfAuthors(): readonly string[] {
  return (['published', 'preview'] as const).flatMap((model) => {
    const contents = `${model}_contents`;
    return [
      `drop index ${contents}_author`,
      `create index ${contents}_author on ${contents} (site_no, language, author_no, published_at desc, id, type_no)`,
    ];
  });
}
