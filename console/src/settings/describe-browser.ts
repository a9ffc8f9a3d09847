const browsers = [/Edg\/(\d+)/, /OPR\/(\d+)/, /Firefox\/(\d+)/, /Chrome\/(\d+)/, /Version\/(\d+).*Safari/];
const browserNames = ['Edge', 'Opera', 'Firefox', 'Chrome', 'Safari'];
const systems = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS X', 'Linux'];

/** `Chrome 140, Linux` from the browser's long description; unknown ones as they are. */
export function describeBrowser(user_agent: string): string {
  const index = browsers.findIndex((browser) => browser.test(user_agent));
  if (index === -1) return user_agent || '?';
  const version = browsers[index]!.exec(user_agent)![1];
  const system = systems.find((name) => user_agent.includes(name));
  return `${browserNames[index]} ${version}${system ? `, ${system.replace('Mac OS X', 'macOS')}` : ''}`;
}
