import { render } from "preact";
import { Shell } from "./shell";
import { followLinks } from "./router";
import { applyTheme } from "./theme";

applyTheme();
followLinks();
const place = document.getElementById("app");
if (place) {
  place.textContent = "";
  render(<Shell />, place);
}
