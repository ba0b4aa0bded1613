"use client";

import { Dialog } from "@base-ui/react/dialog";
import { useQueryClient } from "@tanstack/react-query";
import { SignInForm } from "#components/sign-in/sign-in-form.tsx";

/** Signing in again over the page, so that nothing typed on it is lost. */
export function SessionEnded({ email, onDone }: { readonly email: string; readonly onDone: () => void }) {
  const queryClient = useQueryClient();
  return (
    <Dialog.Root open onOpenChange={() => {}} disablePointerDismissal>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <Dialog.Popup className="fixed top-32 left-1/2 z-50 w-[380px] max-w-[calc(100vw-32px)] -translate-x-1/2 rounded-md border border-line-2 bg-panel p-6 outline-none">
          <Dialog.Title className="text-lead font-semibold">Your session has ended.</Dialog.Title>
          <Dialog.Description className="mt-1 mb-4 text-muted">
            Sign in again to go on; what you typed on this page is still here.
          </Dialog.Description>
          <SignInForm
            email={email}
            onDone={() => {
              onDone();
              void queryClient.invalidateQueries();
            }}
          />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
