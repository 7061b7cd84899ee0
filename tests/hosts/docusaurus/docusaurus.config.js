const BASE = '/';

export default {
  title: 'Harbour School',
  url: 'https://www.harbour.example',
  baseUrl: BASE,
  presets: [['classic', { docs: { routeBasePath: 'docs' }, blog: false }]],
  themeConfig: {
    navbar: {
      title: 'Harbour School',
      items: [
        { to: '/students/ask', label: 'Ask' },
        { to: '/docs/library', label: 'The library' },
        { to: '/docs/examinations', label: 'Examinations' },
      ],
    },
  },
  scripts: [{ src: `${BASE}answers/campanile/campanile-ask.js`, type: 'module' }],
};
