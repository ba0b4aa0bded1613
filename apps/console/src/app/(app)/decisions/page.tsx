import type { Metadata } from "next";
import { DecisionsPage } from "./decisions-page.tsx";

export const metadata: Metadata = { title: "Decisions" };

export default function Page() {
  return <DecisionsPage />;
}
