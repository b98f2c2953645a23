import { render } from "preact";
import { Shell } from "./shell";
import { followLinks } from "./router";
import { arrive } from "./session";
import { applyTheme } from "./theme";

applyTheme();
followLinks();
void arrive().then(() => {
  const place = document.getElementById("app");
  if (place) {
    place.textContent = "";
    render(<Shell />, place);
  }
});
