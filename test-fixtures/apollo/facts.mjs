// Plain facts about the crewed Apollo missions, from NASA's public record (Apollo by the Numbers, SP-2000-4029).

/** number, launch and splashdown in UTC, crew in order of command, spacecraft, launch vehicle, pad, recovery ship. */
export const MISSIONS = [
  { n: 7, launch: '1968-10-11T15:02:45Z', splash: '1968-10-22T11:11:48Z', crew: ['schirra', 'eisele', 'cunningham'], csm: ['CSM-101', null], rocket: 'saturn-ib', pad: 'lc-34', ship: 'uss-essex' },
  { n: 8, launch: '1968-12-21T12:51:00Z', splash: '1968-12-27T15:51:42Z', crew: ['borman', 'lovell', 'anders'], csm: ['CSM-103', null], rocket: 'saturn-v', pad: 'lc-39a', ship: 'uss-yorktown' },
  { n: 9, launch: '1969-03-03T16:00:00Z', splash: '1969-03-13T17:00:54Z', crew: ['mcdivitt', 'scott', 'schweickart'], csm: ['CSM-104', 'Gumdrop'], lm: ['LM-3', 'Spider'], rocket: 'saturn-v', pad: 'lc-39a', ship: 'uss-guadalcanal' },
  { n: 10, launch: '1969-05-18T16:49:00Z', splash: '1969-05-26T16:52:23Z', crew: ['stafford', 'young', 'cernan'], csm: ['CSM-106', 'Charlie Brown'], lm: ['LM-4', 'Snoopy'], rocket: 'saturn-v', pad: 'lc-39b', ship: 'uss-princeton' },
  { n: 11, launch: '1969-07-16T13:32:00Z', splash: '1969-07-24T16:50:35Z', crew: ['armstrong', 'collins', 'aldrin'], csm: ['CSM-107', 'Columbia'], lm: ['LM-5', 'Eagle'], rocket: 'saturn-v', pad: 'lc-39a', ship: 'uss-hornet', site: 'tranquility-base', landing: '1969-07-20T20:17:40Z', ascent: '1969-07-21T17:54:00Z' },
  { n: 12, launch: '1969-11-14T16:22:00Z', splash: '1969-11-24T20:58:24Z', crew: ['conrad', 'gordon', 'bean'], csm: ['CSM-108', 'Yankee Clipper'], lm: ['LM-6', 'Intrepid'], rocket: 'saturn-v', pad: 'lc-39a', ship: 'uss-hornet', site: 'ocean-of-storms', landing: '1969-11-19T06:54:35Z', ascent: '1969-11-20T14:25:47Z' },
  { n: 13, launch: '1970-04-11T19:13:00Z', splash: '1970-04-17T18:07:41Z', crew: ['lovell', 'swigert', 'haise'], csm: ['CSM-109', 'Odyssey'], lm: ['LM-7', 'Aquarius'], rocket: 'saturn-v', pad: 'lc-39a', ship: 'uss-iwo-jima' },
  { n: 14, launch: '1971-01-31T21:03:02Z', splash: '1971-02-09T21:05:00Z', crew: ['shepard', 'roosa', 'mitchell'], csm: ['CSM-110', 'Kitty Hawk'], lm: ['LM-8', 'Antares'], rocket: 'saturn-v', pad: 'lc-39a', ship: 'uss-new-orleans', site: 'fra-mauro', landing: '1971-02-05T09:18:11Z', ascent: '1971-02-06T18:48:42Z' },
  { n: 15, launch: '1971-07-26T13:34:00Z', splash: '1971-08-07T20:45:53Z', crew: ['scott', 'worden', 'irwin'], csm: ['CSM-112', 'Endeavour'], lm: ['LM-10', 'Falcon'], rocket: 'saturn-v', pad: 'lc-39a', ship: 'uss-okinawa', site: 'hadley-rille', landing: '1971-07-30T22:16:29Z', ascent: '1971-08-02T17:11:23Z', rover: 'LRV-1' },
  { n: 16, launch: '1972-04-16T17:54:00Z', splash: '1972-04-27T19:45:05Z', crew: ['young', 'mattingly', 'duke'], csm: ['CSM-113', 'Casper'], lm: ['LM-11', 'Orion'], rocket: 'saturn-v', pad: 'lc-39a', ship: 'uss-ticonderoga', site: 'descartes-highlands', landing: '1972-04-21T02:23:35Z', ascent: '1972-04-24T01:25:47Z', rover: 'LRV-2' },
  { n: 17, launch: '1972-12-07T05:33:00Z', splash: '1972-12-19T19:24:59Z', crew: ['cernan', 'evans', 'schmitt'], csm: ['CSM-114', 'America'], lm: ['LM-12', 'Challenger'], rocket: 'saturn-v', pad: 'lc-39a', ship: 'uss-ticonderoga', site: 'taurus-littrow', landing: '1972-12-11T19:54:58Z', ascent: '1972-12-14T22:54:37Z', rover: 'LRV-3' },
];

/** key: [name, spellings found in documents, year of birth] */
export const ASTRONAUTS = {
  schirra: ['Walter Schirra', ['Wally Schirra', 'Walter M. Schirra'], 1923],
  eisele: ['Donn Eisele', ['Donn F. Eisele'], 1930],
  cunningham: ['Walter Cunningham', ['Walt Cunningham'], 1932],
  borman: ['Frank Borman', ['Colonel Borman'], 1928],
  lovell: ['James Lovell', ['Jim Lovell', 'James A. Lovell'], 1928],
  anders: ['William Anders', ['Bill Anders'], 1933],
  mcdivitt: ['James McDivitt', ['Jim McDivitt'], 1929],
  scott: ['David Scott', ['Dave Scott', 'David R. Scott'], 1932],
  schweickart: ['Russell Schweickart', ['Rusty Schweickart'], 1935],
  stafford: ['Thomas Stafford', ['Tom Stafford'], 1930],
  young: ['John Young', ['John W. Young'], 1930],
  cernan: ['Eugene Cernan', ['Gene Cernan'], 1934],
  armstrong: ['Neil Armstrong', ['Neil A. Armstrong'], 1930],
  collins: ['Michael Collins', ['Mike Collins'], 1930],
  aldrin: ['Buzz Aldrin', ['Edwin Aldrin', 'Edwin E. Aldrin Jr.'], 1930],
  conrad: ['Pete Conrad', ['Charles Conrad'], 1930],
  gordon: ['Richard Gordon', ['Dick Gordon'], 1929],
  bean: ['Alan Bean', ['Alan L. Bean'], 1932],
  swigert: ['Jack Swigert', ['John L. Swigert'], 1931],
  haise: ['Fred Haise', ['Fred W. Haise'], 1933],
  shepard: ['Alan Shepard', ['Alan B. Shepard'], 1923],
  roosa: ['Stuart Roosa', ['Stu Roosa'], 1933],
  mitchell: ['Edgar Mitchell', ['Ed Mitchell'], 1930],
  worden: ['Alfred Worden', ['Al Worden'], 1932],
  irwin: ['James Irwin', ['Jim Irwin'], 1930],
  mattingly: ['Ken Mattingly', ['Thomas K. Mattingly'], 1936],
  duke: ['Charles Duke', ['Charlie Duke'], 1935],
  evans: ['Ronald Evans', ['Ron Evans'], 1933],
  schmitt: ['Harrison Schmitt', ['Jack Schmitt'], 1935],
};

/** key: [class, name, latitude, longitude] */
export const PLACES = {
  'lc-34': ['LaunchPad', 'Launch Complex 34', 28.5218, -80.5611],
  'lc-39a': ['LaunchPad', 'Launch Complex 39A', 28.6083, -80.6041],
  'lc-39b': ['LaunchPad', 'Launch Complex 39B', 28.6272, -80.6208],
  'mission-control': ['ControlCentre', 'Mission Control Center, Houston', 29.5593, -95.0899],
  'tranquility-base': ['LandingSite', 'Tranquility Base', 0.6741, 23.473],
  'ocean-of-storms': ['LandingSite', 'Ocean of Storms', -3.0128, -23.4219],
  'fra-mauro': ['LandingSite', 'Fra Mauro', -3.6453, -17.4714],
  'hadley-rille': ['LandingSite', 'Hadley Rille', 26.1322, 3.6339],
  'descartes-highlands': ['LandingSite', 'Descartes Highlands', -8.973, 15.5002],
  'taurus-littrow': ['LandingSite', 'Taurus-Littrow', 20.1908, 30.7717],
};

export const SHIPS = {
  'uss-essex': 'USS Essex',
  'uss-yorktown': 'USS Yorktown',
  'uss-guadalcanal': 'USS Guadalcanal',
  'uss-princeton': 'USS Princeton',
  'uss-hornet': 'USS Hornet',
  'uss-iwo-jima': 'USS Iwo Jima',
  'uss-new-orleans': 'USS New Orleans',
  'uss-okinawa': 'USS Okinawa',
  'uss-ticonderoga': 'USS Ticonderoga',
};

export const ROCKETS = { 'saturn-ib': 'Saturn IB', 'saturn-v': 'Saturn V' };

/** Names of the missions in other languages: `%` stands for the number. */
export const MISSION_NAMES = { en: 'Apollo %', fr: 'Apollo %', de: 'Apollo %', ru: 'Аполлон-%', ja: 'アポロ%号', el: 'Απόλλων %' };

export const ROMAN = { 11: 'XI', 13: 'XIII' };
