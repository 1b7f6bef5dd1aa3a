import { useEffect, useState } from "react";

/** A value as it was when it last stood still: for what is asked while somebody types. @param pause in milliseconds */
export function usePaused<T>(value: T, pause: number): T {
  const [still, setStill] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setStill(value), pause);
    return () => clearTimeout(timer);
  }, [value, pause]);
  return still;
}
