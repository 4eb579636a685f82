# SVM Lab for a class: two processes behind Caddy on port 8501. See deploy/README.md.
# The digest keeps it the same image, of September 2026. For a newer one: --build-arg PYTHON=python:3.13-slim
ARG PYTHON=python:3.13.15-slim-trixie@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b
FROM ${PYTHON}
RUN apt-get update && apt-get install -y --no-install-recommends caddy && rm -rf /var/lib/apt/lists/*
WORKDIR /svm-lab
COPY requirements.lock .
RUN pip install --no-cache-dir --require-hashes -r requirements.lock
COPY app.py home.py LICENSE README.md pyproject.toml ./
COPY .streamlit .streamlit
COPY data data
COPY deploy deploy
COPY docs docs
COPY pages pages
COPY svmcore svmcore
# the code belongs to root; the service writes data and compiled code only
RUN useradd --create-home lab && mkdir /data /compiled && chown lab /data /compiled
USER lab
# compile the solvers now, so that the first class need not wait
ENV NUMBA_CACHE_DIR=/compiled
# for unknown processors: --build-arg NUMBA_CPU_NAME=generic, and the same as a variable when it runs
ARG NUMBA_CPU_NAME
RUN python -m deploy prepare
# what readers load and rooms: mount a volume here to keep it
ENV SVMCORE_DATA=/data
VOLUME /data
EXPOSE 8501
HEALTHCHECK --interval=10s --timeout=6s --start-period=90s CMD python -m deploy health
CMD ["python", "-m", "deploy", "serve", "--processes", "2"]
