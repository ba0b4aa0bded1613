/** Look of everything in the top bar that can be pressed. */
export const CHIP =
  "inline-flex h-7 items-center gap-1.5 rounded-md border border-line-2 bg-panel px-2.5 text-label whitespace-nowrap hover:bg-hover data-[popup-open]:bg-hover max-wide:px-2";
export const GHOST_CHIP =
  "inline-flex h-7 items-center gap-1.5 rounded-md border border-transparent px-2 text-label whitespace-nowrap hover:bg-hover data-[popup-open]:bg-hover";

/** Look of menus and popovers. */
export const POPUP = "z-50 min-w-40 rounded-md border border-line-2 bg-panel py-1 text-label outline-none";
export const MENU_ITEM =
  "flex h-7 cursor-pointer items-center gap-2 px-3 outline-none select-none data-[highlighted]:bg-hover data-[disabled]:cursor-not-allowed data-[disabled]:text-muted";
