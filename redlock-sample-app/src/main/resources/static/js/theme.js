// Runs before the page is painted, so that it does not flash.
(() => {
  const root = document.documentElement;
  const system = matchMedia('(prefers-color-scheme: dark)');
  const wished = () => root.dataset.theme ?? (system.matches ? 'dark' : 'light');

  const stored = localStorage.getItem('theme');
  if (stored === 'dark' || stored === 'light') {
    root.dataset.theme = stored;
  }

  const show = () => {
    const button = document.getElementById('theme');
    button.setAttribute('aria-pressed', String(wished() === 'dark'));
    document.dispatchEvent(new Event('themechange'));
  };

  document.addEventListener('DOMContentLoaded', () => {
    show();
    system.addEventListener('change', show);
    document.getElementById('theme').addEventListener('click', () => {
      root.dataset.theme = wished() === 'dark' ? 'light' : 'dark';
      localStorage.setItem('theme', root.dataset.theme);
      show();
    });
  });
})();
