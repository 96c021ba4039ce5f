// How large a site's catalog may grow by hand: it is read as a whole, by every node.

export const MOST_TYPES = 500;
export const MOST_FIELDS = 200;
