/** Release of this router, shown beside it in the console. */
export const VERSION = "0.1.0";
