import Link from "next/link";

export default function NotFound() {
  return (
    <main className="grid h-dvh place-items-center p-6">
      <div className="text-center">
        <h1 className="text-answer font-semibold">There is no such page.</h1>
        <p className="mt-1 text-muted">
          <Link href="/fleet" className="text-accent hover:underline">
            Go to the fleet
          </Link>
        </p>
      </div>
    </main>
  );
}
