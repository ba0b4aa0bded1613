"use client";

import { SignInForm } from "#components/sign-in/sign-in-form.tsx";

export function SignIn() {
  return (
    <div className="rounded-md border bg-panel p-6">
      <h1 className="mb-4 text-answer font-semibold tracking-tight">Sign in</h1>
      <SignInForm onDone={() => window.location.assign("/")} />
    </div>
  );
}
