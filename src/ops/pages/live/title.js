/** The tab's title: the section, and in front of it that the service is down, for who looks at another tab. */

let section = '';
let isDown = false;

/** @param {string} name */
export function nameSection(name) {
  section = name;
  show();
}

/** @param {boolean} isNowDown */
export function tellState(isNowDown) {
  isDown = isNowDown;
  show();
}

function show() {
  const title = `${isDown ? 'Down · ' : ''}${section} · Loyalty gateway`;
  if (document.title !== title) document.title = title;
}
