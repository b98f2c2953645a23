import { useEffect, useRef } from "preact/hooks";
import QrCreator from "qr-creator";

const SIZE = 176;

/** Modules of white around it, which readers need. */
const QUIET = 4;

/** Dark on white in either theme: readers take it for what it is. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current) {
      QrCreator.render({ text, radius: 0, ecLevel: "M", fill: "#000", background: "#fff", quiet: QUIET, size: SIZE }, canvas.current);
    }
  }, [text]);
  return <canvas ref={canvas} class="qr" width={SIZE} height={SIZE} role="img" aria-label={label} />;
}
