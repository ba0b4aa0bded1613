/** The chart's axes while it is loading, where they will be, and the word for it. */
export function ChartSkeleton() {
  return (
    <div role="status" className="relative h-full">
      <div
        aria-hidden="true"
        className="absolute top-1.5 right-4 bottom-[18px] left-9 flex flex-col justify-between"
      >
        {["top", "upper", "lower", "base"].map((line) => (
          <span key={line} className="block border-t" />
        ))}
      </div>
      <span className="absolute inset-0 flex items-center justify-center pb-3 pl-5 text-label text-muted">
        <span className="bg-panel px-2">Loading the reasons</span>
      </span>
    </div>
  );
}
