// Cold fits of a hinge machine with a Gaussian kernel: the solver of the live file beside the SVMs of npm.
// Cases [{x, y, label, C, gamma}] on the standard input; out comes a line {name, case, ms, alpha} for each.
// The packages are looked for in the working folder: npm install --no-save svm libsvm-js

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fit } from "../../pages/shared/plane/live_file/machine.js";

const require = createRequire(`${process.cwd()}/`);
const HINGE = { low: 0, high: 1, curvature: 0 };
const REPEATS = 7;

function ours({ x, y, label, C, gamma }) {
  const setting = { C, kernel: "rbf", sigma: gamma ** -0.5, degree: 3, coef0: 1 };
  return () => {
    const { beta } = fit({ x, y, label }, HINGE, setting);
    return () => Array.from(beta, Math.abs);
  };
}

const libsvm = (Library) => (one) => {
  const rows = one.x.map((value, i) => [value, one.y[i]]);
  return () => {
    const svm = new Library({
      kernel: Library.KERNEL_TYPES.RBF,
      type: Library.SVM_TYPES.C_SVC,
      gamma: one.gamma,
      cost: one.C,
      epsilon: 1e-3,
      quiet: true,
    });
    svm.train(rows, one.label);
    return () => alphaOf(svm.serializeModel(), rows);
  };
};

/** The sizes of the coefficients in a model file, each for the point nearest to its support vector. */
function alphaOf(model, rows) {
  const alpha = rows.map(() => 0);
  for (const line of model.split("SV\n")[1].trim().split("\n")) {
    const [coefficient, ...place] = line.trim().split(" ");
    const at = place.map((part) => Number(part.split(":")[1]));
    const free = rows.map((row, i) => [alpha[i] ? Infinity : Math.hypot(row[0] - at[0], row[1] - at[1]), i]);
    alpha[free.reduce((least, next) => (next[0] < least[0] ? next : least))[1]] = Math.abs(Number(coefficient));
  }
  return alpha;
}

const simplified = (SVM) => (one) => {
  const rows = one.x.map((value, i) => [value, one.y[i]]);
  const options = { C: one.C, kernel: "rbf", rbfsigma: (2 * one.gamma) ** -0.5, tol: 1e-3, maxiter: 10000 };
  return () => {
    const svm = new SVM();
    svm.train(rows, one.label, { ...options, numpasses: 10, alphatol: 0 });
    return () => {
      const alpha = rows.map(() => 0); // it keeps the support vectors alone
      svm.data.forEach((row, k) => {
        alpha[rows.indexOf(row)] = svm.alpha[k];
      });
      return alpha;
    };
  };
};

const names = process.argv.slice(2);
const makers = { ours: () => ours };
makers["libsvm-js (asm)"] = () => libsvm(require("libsvm-js/asm"));
makers["libsvm-js (wasm)"] = async () => libsvm(await require("libsvm-js"));
makers.svm = () => simplified(require("svm").SVM);
const peers = [];
for (const name of names) peers.push([name, await makers[name]()]);

for (const [number, one] of JSON.parse(readFileSync(0, "utf-8")).entries()) {
  const runs = peers.map(([name, make]) => ({ name, run: make(one), times: [], alphaOf: () => [] }));
  for (let k = 0; k <= REPEATS; k++)
    for (const each of runs) {
      if (each.name === "svm" && k > 1) continue; // a hundred times slower
      const before = process.cpuUsage();
      each.alphaOf = each.run();
      const used = process.cpuUsage(before);
      if (k) each.times.push((used.user + used.system) / 1000); // the first run is compiled meanwhile
    }
  for (const { name, times, alphaOf } of runs) {
    times.sort((a, b) => a - b);
    console.log(JSON.stringify({ name, case: number, ms: times[times.length >> 1], alpha: alphaOf() }));
  }
}
