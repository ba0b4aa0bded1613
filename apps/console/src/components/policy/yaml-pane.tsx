"use client";

import dynamic from "next/dynamic";
import { useNonce } from "#app/providers.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import type { YamlEditorProps } from "./yaml-editor.tsx";

const Editor = dynamic(() => import("./yaml-editor.tsx"), { ssr: false, loading: () => <EditorSkeleton /> });

/** The YAML editor, loaded when it is first needed. */
export function YamlPane(props: Omit<YamlEditorProps, "nonce">) {
  const nonce = useNonce();
  return <Editor {...props} nonce={nonce} />;
}

const WIDTHS = ["w-24", "w-20", "w-40", "w-32", "w-52", "w-36", "w-44", "w-28"] as const;

export function EditorSkeleton() {
  return (
    <div className="flex flex-col gap-2.5 p-3 pl-12" aria-busy="true">
      {WIDTHS.map((width) => (
        <Skeleton key={width} className={`h-2 ${width}`} />
      ))}
    </div>
  );
}
