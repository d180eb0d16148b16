/** The tab's title: the section, and in front of it that the service is down, for who looks at another tab. */

let section = '';
let isDown = false;

export function nameSection(name: string) {
  section = name;
  show();
}

export function tellState(isNowDown: boolean) {
  isDown = isNowDown;
  show();
}

function show() {
  const title = `${isDown ? 'Down · ' : ''}${section} · Loyalty gateway`;
  if (document.title !== title) document.title = title;
}
