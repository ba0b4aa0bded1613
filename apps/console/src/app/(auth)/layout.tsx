import type { ReactNode } from "react";
import { Logo } from "#components/shell/icons.tsx";
import { environmentBand } from "#server/environment-band.ts";

export const dynamic = "force-dynamic";

export default function AuthLayout({ children }: { readonly children: ReactNode }) {
  const { name, colour, ink } = environmentBand();
  return (
    <div className="flex min-h-dvh flex-col">
      <div className="h-1 flex-none bg-env" style={colour === null ? undefined : { background: colour }} />
      <main className="grid flex-1 place-items-center p-6">
        <div className="w-[360px] max-w-full">
          <div className="mb-6 flex items-center gap-2.5">
            <Logo size={24} />
            <span className="text-lead font-semibold tracking-tight">Evenkeel</span>
            <span
              className="ml-auto rounded-sm bg-env px-2 text-[11px] leading-5 font-semibold tracking-wider text-env-ink uppercase"
              style={colour === null ? undefined : { background: colour, color: ink ?? undefined }}
            >
              {name}
            </span>
          </div>
          {children}
        </div>
      </main>
    </div>
  );
}
