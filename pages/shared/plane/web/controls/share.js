// What a reader sends to others: the link, by one tap, and the largest picture of the page as a file.

import { make, part } from "../base/dom.js";

const PICTURE = '.svm-save button[value="png"]';

export class Share {
  #root;
  #link = "";

  /** @param {HTMLElement} root of share.html */
  constructor(root) {
    this.#root = root;
    part(root, "copy").onclick = async () => this.#say((await copyText(this.#link)) ? "The link is copied." : BY_HAND);
    part(root, "shot").onclick = () => {
      largestPicture()?.click();
      this.#say("The picture is saved among your downloads.");
    };
  }

  receive(payload) {
    if (payload) this.#link = payload.share;
    part(this.#root, "shot").hidden = !largestPicture();
  }

  #say(text) {
    part(this.#root, "shared").textContent = text;
  }
}

const BY_HAND = "This browser does not let a page copy: hold or select the link above.";

/** @returns {any} the button that saves the largest picture */
function largestPicture() {
  const area = (plane) => plane.clientWidth * plane.clientHeight;
  const planes = [...document.querySelectorAll(`.svm-plane:has(${PICTURE})`)].sort((a, b) => area(b) - area(a));
  return planes[0]?.querySelector(PICTURE);
}

// The clipboard of the browser is for secure addresses; a class reaches the lecturer's computer without encryption.
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = make("textarea", { value: text, readOnly: true });
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}
