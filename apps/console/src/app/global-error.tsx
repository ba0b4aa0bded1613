"use client";

/** The last resort, when the frame itself broke; it brings its own document and cannot use the styles. */
export default function GlobalError({ reset }: { readonly reset: () => void }) {
  return (
    <html lang="en">
      <body>
        <main>
          <h1>The console failed.</h1>
          <p>Routing is not affected. The console's log has the details.</p>
          <button type="button" onClick={reset}>
            Try again
          </button>
        </main>
      </body>
    </html>
  );
}
