// SPDX-License-Identifier: Apache-2.0
// Puts the page together: sections, answers first, provenance, glossary, theme.
'use strict';

const KINDS = {
  comparison:
      ['Comparisons', 'Has a change made anything slower?', answerOfComparisonFile, comparisonNode],
  'pipeline-tuning': [
    'Tunings of pipelines', 'Which recipe is fastest and still accurate?', answerOfPipelines,
    (file, id) => playoff(id, file.document)
  ],
  tuning: [
    'Tunings of stages', 'Which configuration is fastest?', answerOfTuning,
    (file, id) => bestSoFar(id, file.document)
  ],
  history: ['History', 'Has anything shifted over time?', answerOfHistory, historyNode],
  static_comparison:
      ['Static comparisons', 'Has the machine code changed?', answerOfStatic, staticNode],
};

function sectionsOf(files) {
  const sections = [
    ...groupBy(
        files.filter((file) => file.kind === 'run'),
        (file) => file.document.suite?.name ?? file.name)
  ].map(([name, group]) => runSection(name, group));
  const trained = files.filter((file) => file.kind === 'training');
  if (trained.length) sections.push(trainSection(trained));
  for (const [kind, [title, question, answerOf, nodeOf]] of Object.entries(KINDS)) {
    const own = files.filter((file) => file.kind === kind);
    if (own.length) sections.push(kindSection(kind, title, question, own, answerOf, nodeOf));
  }
  for (const kind of Object.keys(TABLES)) {
    const own = files.filter((file) => file.kind === kind);
    if (own.length) sections.push(tableSection(kind, own));
  }
  return sections.sort((a, b) => b.answer.bad - a.answer.bad);
}

const anchor = (section) => `section-${section.id.replace(/[^A-Za-z0-9]+/g, '-')}`;

function answerCard(section) {
  const go = () => {
    const place = document.getElementById(anchor(section));
    place.open = true;
    place.scrollIntoView();
    place.querySelector('summary').focus({preventScroll: true});
  };
  return el(
      section.answer.bad ? 'li.bad' : 'li', {}, el('h2', {}, section.title),
      el('span.soft', {}, section.question),
      section.answer.disturbed && el('p.warn-text', {}, section.answer.disturbed),
      el('p.answer', {'data-kind': section.answer.kind},
         section.answer.bad ? el('strong.bad-text', {}, '\u2717 ') : '', section.answer.text),
      el('div.bar.foot', {}, el('span.soft', {}, footOf(section.files)),
         el('button.right', {type: 'button', onclick: go, 'aria-label': `Go to ${section.title}`},
            'Details')));
}

// Open where it has findings or there are few; the others open from their answer.
function sectionNode(section, few) {
  const open = state.get('open', section.id, few || section.answer.bad ? '1' : '0') === '1';
  return el(
      'details.group', {
        id: anchor(section),
        open,
        ontoggle: (event) => event.target === event.currentTarget &&
            state.set('open', section.id, event.target.open ? '1' : '0')
      },
      el('summary', {}, el('h2', {}, section.title)), el('p.soft', {}, section.question),
      section.answer.disturbed && el('p.warn-text', {}, section.answer.disturbed),
      el('p', {}, section.answer.text,
         section.answer.after ? el('span.soft', {}, ` ${section.answer.after}`) : ''),
      el('p.small.soft', {}, footOf(section.files)), ...section.node);
}

function flat(value, place = '') {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    return [[place, Array.isArray(value) ? value.join(' ') : String(value ?? '')]];
  return Object.entries(value).flatMap(
      ([key, inner]) => flat(inner, place ? `${place}.${key}` : key));
}

function footerNode(files) {
  const provenance = files.map(
      (file) =>
          el('details', {}, el('summary', {}, file.name),
             facts(flat({...(file.document.provenance ?? {}), devices: undefined})
                       .concat(documentDevices(file.document)
                                   .flatMap((device) => flat(device, device.backend)))),
             el('button', {
               type: 'button',
               onclick: () =>
                   download(file.name, 'application/json', JSON.stringify(file.document, null, 1))
             },
                'Download the file')));
  const words = el(
      'details', {}, el('summary', {}, 'Glossary'),
      el('dl', {},
         ...glossary.flatMap(
             ([word, meaning]) => [el('dt', {}, el('strong', {}, word)), el('dd', {}, meaning)])));
  return [el('h2', {}, 'Files and where they come from'), ...provenance, words];
}

function themeButton() {
  const names = ['auto', 'light', 'dark'], button = el('button', {type: 'button'});
  const apply = (name) => {
    if (name === 'auto')
      delete document.documentElement.dataset.theme;
    else
      document.documentElement.dataset.theme = name;
    button.textContent = `Theme: ${name}`;
    state.set('page', 'theme', name === 'auto' ? null : name);
  };
  let chosen = names.includes(state.get('page', 'theme')) ? state.get('page', 'theme') : 'auto';
  button.addEventListener(
      'click', () => apply(chosen = names[(names.indexOf(chosen) + 1) % names.length]));
  apply(chosen);
  return button;
}

async function show() {
  const main = document.getElementById('main');
  try {
    const files = await readFiles(), sections = sectionsOf(files);
    const bad = sections.filter((section) => section.answer.bad).length;
    const disturbed = sections.filter((section) => section.answer.disturbed).length;
    document.getElementById('tools').append(
        themeButton(), el('button', {type: 'button', onclick: () => print()}, 'Print'));
    document.getElementById('subject').textContent = [
      plural(files.length, 'file'),
      distinct(files.flatMap((file) => deviceNames(file.document))).join(', '),
      bad ? `${plural(bad, 'group')} with findings, first` :
          disturbed ? null :
                      'no findings',
      disturbed && `other work disturbed times of ${plural(disturbed, 'group')}`
    ].filter(Boolean).join(' \u00b7 ');
    document.title = `alsbench: ${sections.map((section) => section.title).join(', ')}`;
    main.append(
        el('ul.answers', {}, ...sections.map(answerCard)),
        ...sections.map((section) => sectionNode(section, sections.length < 4)));
    document.getElementById('footer').append(...footerNode(files));
  } catch (error) {
    main.append(el('p.bad-text', {role: 'alert'}, `This report cannot be shown: ${error.message}`));
    throw error;
  } finally {
    main.setAttribute('aria-busy', 'false');
  }
}

show();
