"use client";

import { CSPProvider } from "@base-ui/react/csp-provider";
import { ThemeProvider } from "next-themes";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { createContext, type ReactNode, useContext } from "react";
import { TrpcProvider } from "#trpc/client.tsx";

const Nonce = createContext<string | undefined>(undefined);

/** The page's nonce, for code that must add a style element (the editor). */
export function useNonce(): string | undefined {
  return useContext(Nonce);
}

export function Providers({
  nonce,
  children,
}: {
  readonly nonce: string | undefined;
  readonly children: ReactNode;
}) {
  return (
    <Nonce value={nonce}>
      <CSPProvider {...(nonce === undefined ? {} : { nonce })}>
        <ThemeProvider
          attribute="data-theme"
          themes={["dark", "light"]}
          defaultTheme="system"
          enableSystem
          disableTransitionOnChange
          {...(nonce === undefined ? {} : { nonce })}
        >
          <NuqsAdapter>
            <TrpcProvider>{children}</TrpcProvider>
          </NuqsAdapter>
        </ThemeProvider>
      </CSPProvider>
    </Nonce>
  );
}
