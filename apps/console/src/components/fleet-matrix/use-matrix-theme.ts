import { type RefObject, useEffect, useState } from "react";
import { type MatrixTheme, readMatrixTheme } from "./matrix-theme.ts";

/** The theme's colours, read again when `data-theme` changes and once the fonts are there. */
export function useMatrixTheme(ref: RefObject<HTMLElement | null>): MatrixTheme | null {
  const [theme, setTheme] = useState<MatrixTheme | null>(null);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const root = document.documentElement;
    let isGone = false;
    const read = () => {
      if (!isGone) setTheme(readMatrixTheme(element, root.dataset["theme"] === "light" ? "light" : "dark"));
    };
    read();
    void document.fonts.ready.then(read);
    const observer = new MutationObserver(read);
    observer.observe(root, { attributes: true, attributeFilter: ["data-theme"] });
    return () => {
      isGone = true;
      observer.disconnect();
    };
  }, [ref]);
  return theme;
}
